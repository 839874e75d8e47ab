"""Mekuri as a Python library: wrong calls raise errors that explain the right ones."""

import random
from dataclasses import replace
from typing import Any

import pytest

import mekuri
from mekuri import IllegalAction, MekuriError, NotationError, OptionError, UnknownGame, bots, games
from mekuri.engine.contract import FIRST_WORD
from mekuri.engine.options import Choice, differing, info, parse
from mekuri.engine.rulebook import LANGUAGES
from mekuri.match.record import Record
from mekuri.testing.worlds import act, play_out, random_round, some_viewers, steps, values
from tests.helpers.tables import GAMES, PLAYED, each_game, each_played

NO_ACTIONS = ("", " ", "13H", "0H", "7", "H", "7X", "7II", "1H 2H", "?", "-", "nothing", "\x00", "\ud800", "７Ｘ", "1H" * 999)
NO_SEATS = (-1, -17, 16, 17, 99, 1 << 70)


class TestGame:
    def test_games_are_listed_in_order(self) -> None:
        assert games.names() == sorted(games.names(), key=lambda name: (games.find(name).side, name))
        assert all(mekuri.game(name).id == name for name in games.names())

    def test_unknown_game_is_refused(self, subtests: pytest.Subtests) -> None:
        for name in ("", "poker", "mushi.rules", "fishing", "\ud800", "x" * 10_000):
            with subtests.test(ascii(name[:20])):
                with pytest.raises(UnknownGame) as refusal:
                    mekuri.game(name)
                suggests = "did you mean" in str(refusal.value)
                assert suggests or all(known in str(refusal.value) for known in GAMES)

    @each_game
    def test_unknown_preset_is_refused(self, name: str) -> None:
        with pytest.raises(OptionError) as refusal:
            mekuri.game(name, "sead")
        assert all(preset in str(refusal.value) for preset in games.find(name).presets)

    @each_game
    def test_unknown_option_is_refused(self, name: str) -> None:
        known = [option.name for option in info(games.find(name).options)]
        for option in known:
            for typo in (option + "s", option[:-1], option.replace("_", "-") + "x"):
                if typo not in known:
                    wrong: dict[str, Any] = {typo: "1"}
                    with pytest.raises(OptionError, match=r"did you mean \w+\?"):
                        mekuri.game(name, **wrong)
        far: dict[str, Any] = {"zzzzzz": 1}
        with pytest.raises(OptionError, match=f"{name} has no option zzzzzz: it has {', '.join(known)}"):
            mekuri.game(name, **far)

    @each_game
    def test_invalid_value_is_refused(self, name: str) -> None:
        for option in info(games.find(name).options):
            for value in ("nothing", "", " ", -1, 10**9, 1.5, None, "9" * 5000, "\ud800", object(), [], [[]], {}, "1,2,99"):
                if str(value).lower() in option.values:  # None, where nothing is among the values
                    continue
                wrong: dict[str, Any] = {option.name: value}
                with pytest.raises(OptionError, match=option.name) as refusal:
                    mekuri.game(name, **wrong)
                if any(text.isalpha() for text in option.values):
                    assert all(text in str(refusal.value) for text in option.values if option.values != ("no", "yes"))

    @each_game
    def test_option_values_have_many_spellings(self, name: str) -> None:
        contract = games.find(name)
        for option in info(contract.options):
            default = getattr(contract.options(), option.name)
            for text in option.values or (option.default,):
                given: dict[str, Any] = {option.name: text}
                try:
                    plain = mekuri.game(name, **given)
                except OptionError:
                    continue
                value = getattr(plain.options, option.name)
                assert type(value) is type(default)
                written = [text.upper(), f" {text} ", value, text.replace("-", "_")]
                written += [{"yes": True, "no": False}[text]] if option.values == ("no", "yes") else []
                written += [list(value)] if isinstance(value, tuple) else []
                for other in written:
                    for key in (option.name, option.name.replace("_", "-")):
                        given = {key: other}
                        assert mekuri.game(name, **given).options == plain.options

    @each_game
    def test_explicit_option_takes_precedence_over_a_preset(self, name: str) -> None:
        contract = games.find(name)
        for preset in contract.presets:
            of_round, of_match = contract.preset(preset)
            for option in of_round:
                default = getattr(contract.options(), option)
                given: dict[str, Any] = {option: default}
                try:
                    contract.rules.check(replace(mekuri.game(name, preset).options, **given))
                except OptionError:
                    continue  # the other options of the preset need it
                assert getattr(mekuri.game(name, preset, **given).options, option) == default
            for option in of_match:
                default = getattr(contract.match_options(), option)
                given = {option.replace("_", "-"): default}
                assert getattr(mekuri.game(name, preset).match(**given).options, option) == default

    @each_game
    def test_preset_sets_match_options(self, name: str) -> None:
        """What comes of it is in the record, and the game is made again from how it is written."""
        contract = games.find(name)
        for preset in contract.presets:
            game = mekuri.game(name, preset)
            of_match = contract.preset(preset)[1]
            assert game.match(seed=1).options == parse(contract.match_options, of_match, name)
            assert Record.from_json(game.match(seed=1).record().to_json()).match_options == differing(game.match(seed=1).options)
            again = eval(repr(game), {"mekuri": mekuri})
            assert (again.options, again.match(seed=1).options) == (game.options, game.match(seed=1).options)

    @each_game
    def test_number_of_seats_is_checked(self, name: str) -> None:
        usual = mekuri.game(name).seats
        assert mekuri.game(name, seats=usual).seats == usual == games.find(name).seats[0]
        for seats in (-1, 0, 1, 17, 99):
            if seats not in games.find(name).seats:
                with pytest.raises(OptionError, match=f"played by .* not {seats}"):
                    mekuri.game(name, seats=seats)

    @each_played
    def test_repr_evaluates_to_the_same_game(self, game: mekuri.Game) -> None:
        again = eval(repr(game), {"mekuri": mekuri})
        assert (again.id, again.options, again.seats) == (game.id, game.options, game.seats)
        assert repr(again) == repr(game)

    @each_game
    def test_repr_of_a_game_is_short(self, name: str) -> None:
        assert repr(mekuri.game(name)) == f"mekuri.game({name!r})"

    @each_game
    def test_game_has_a_version_and_a_rule_book(self, name: str) -> None:
        game = mekuri.game(name)
        assert game.version == game.contract.version >= 1
        assert game.rulebook.clauses


class TestDeal:
    @each_played
    def test_equal_seeds_give_equal_deals(self, game: mekuri.Game) -> None:
        for seed in (0, -1, 1 << 200, "", "seed", "花", b"", b"\x00\xff"):
            assert values(random_round(game, 0)._state) == values(random_round(game, 0)._state)
            one, two = (played(game.deal(seed=seed)) for _ in range(2))
            assert (one.packs, one.history) == (two.packs, two.history)

    @each_game
    def test_other_seeds_give_other_deals(self, name: str) -> None:
        game = mekuri.game(name)
        if not played(game.deal(seed=0)).packs:
            pytest.skip("no cards are shuffled in this game")
        seeds: list[Any] = [0, 1, -1, "a", "A", "a ", "", b"a", *range(2, 30)]
        assert len({repr(played(game.deal(seed=seed)).packs[0]) for seed in seeds}) == len(seeds)
        assert len({repr(played(game.deal()).packs[0]) for _ in range(10)}) == 10

    @each_game
    def test_unknown_dealer_is_refused(self, name: str) -> None:
        for dealer in NO_SEATS:
            with pytest.raises(MekuriError, match="dealer"):
                mekuri.game(name).deal(seed=1, dealer=dealer)

    @each_game
    def test_every_seat_can_deal(self, name: str) -> None:
        game = mekuri.game(name)
        for dealer in range(game.seats):
            round = game.deal(seed=1, dealer=dealer)
            assert (round.dealer, round.view().dealer) == (dealer, dealer)


def played(round: mekuri.Round, seed: int = 0) -> mekuri.Round:
    return play_out(round, random.Random(seed))


class TestPlay:
    @each_played
    def test_actions_have_many_spellings(self, game: mekuri.Game) -> None:
        """As ints, as the legal actions are written, in lower and upper case, with spaces around."""
        for ways in (int, str, str.lower, str.upper, lambda text: f" {text}\n"):
            chance, round, same = random.Random(1), game.deal(seed=1), game.deal(seed=1)
            while not round.over:
                seat = chance.choice(round.waiting)
                action = chance.choice(round.legal_for(seat))
                number = round.parse_action(action)
                assert round.action_text(number) == action
                same.play(action, seat)
                round.play(number if ways is int else ways(action), seat)
                assert values(round._state) == values(same._state)
            assert round.returns == same.returns

    @each_game
    def test_default_seat_is_the_first_to_move(self, name: str) -> None:
        round = mekuri.game(name).deal(seed=2)
        while not round.over:
            seat, action = round.waiting[0], round.legal[0]
            assert round.legal == round.legal_for(seat)
            round.play(action)
            assert round.actions[-1] == (seat, round.parse_action(action))

    @each_game
    def test_unknown_action_is_refused(self, name: str, subtests: pytest.Subtests) -> None:
        round = mekuri.game(name).deal(seed=3)
        for text in NO_ACTIONS:
            for ask in (round.play, round.refusal, round.parse_action):
                with subtests.test(f"{ask.__name__} {text[:20]!a}"):
                    with pytest.raises(NotationError) as refusal:
                        ask(text)
                    assert all(word.text in str(refusal.value) for word in round.contract.words)

    @each_played
    def test_number_that_is_no_action_is_refused(self, game: mekuri.Game) -> None:
        """In whatever phase."""
        for now in steps(random_round(game, 4)):
            for number in (-1, -2, -63, -64, 63, 64, 99, 1 << 62, 1 << 70):
                for seat in range(game.seats):
                    with pytest.raises((IllegalAction, NotationError)):
                        now.play(number, seat)

    @each_played
    def test_unknown_seat_is_refused(self, game: mekuri.Game) -> None:
        words = list(map(int, game.contract.words))
        for now in steps(random_round(game, 5)):
            for seat in NO_SEATS:
                for action in (0, 47, min(words), max(words)):
                    with pytest.raises(MekuriError, match="seat"):
                        now.play(action, seat)
                    with pytest.raises(MekuriError, match="seat"):
                        now.refusal(action, seat)
                for ask in (now.view, now.hidden, now.events, now.legal_for):
                    with pytest.raises(MekuriError, match="seat"):
                        ask(seat)

    @pytest.mark.in_turn(2)
    @each_played
    def test_every_illegal_action_names_a_clause(self, game: mekuri.Game) -> None:
        """For every seat, in and out of turn, at every step of a round; every other action is legal."""
        for now in steps(random_round(game, 6)):
            for seat in range(game.seats):
                legal = {now.parse_action(action) for action in now.legal_for(seat)}
                for action in [*range(FIRST_WORD), *map(int, game.contract.words)]:
                    refusal = now.refusal(action, seat)
                    assert (refusal is None) == (action in legal)
                    if refusal:
                        assert refusal[1] in game.rulebook.clauses
                        with pytest.raises(IllegalAction) as error:
                            now.play(action, seat)
                        assert error.value.clause == refusal[1]
                        assert error.value.message == game.rulebook.render(refusal[0], "en")
                        assert str(error.value) == f"{error.value.message} ({error.value.clause})"
                        assert game.rulebook.render(refusal[0], "ja")

    @each_played
    def test_finished_round_accepts_no_action(self, game: mekuri.Game) -> None:
        round = random_round(game, 7)
        before = values(round._state)
        assert (round.waiting, round.legal, round.over) == ((), (), True)
        for seat in (None, *range(game.seats)):
            assert seat is None or round.legal_for(seat) == ()
            for action in [*range(FIRST_WORD), *map(int, game.contract.words)]:
                with pytest.raises(IllegalAction):
                    round.play(action, seat)
        assert values(round._state) == before

    @each_played
    def test_results_need_a_finished_round(self, game: mekuri.Game) -> None:
        chance, round = random.Random(8), game.deal(seed=8)
        while not round.over:
            for name in ("returns", "ending", "next_dealer", "accounts"):
                with pytest.raises(MekuriError, match="not over"):
                    getattr(round, name)
            assert round.score_sheet().returns is None
            act(round, chance)
        least, most = game.contract.returns_range
        assert all(least <= value <= most for value in round.returns)
        assert round.score_sheet().returns == round.returns
        assert round.ending in game.contract.endings
        assert round.next_dealer in range(game.seats)
        assert len(round.tallies) == game.seats


class TestBots:
    def test_unknown_bot_is_refused(self) -> None:
        for name in ("", "Greedy", "search", "\ud800"):
            with pytest.raises(MekuriError) as refusal:
                bots.bot(name)
            assert all(known in str(refusal.value) for known in bots.NAMES)

    @each_game
    def test_bots_with_equal_seeds_choose_alike(self, name: str, subtests: pytest.Subtests) -> None:
        def round(name_of_bot: str, seed: int | None) -> mekuri.Round:
            bot, found = bots.bot(name_of_bot, seed=seed), mekuri.game(name).deal(seed=9)
            while not found.over:
                seat = found.waiting[0]
                found.play(bot.choose(found.hidden(seat), seat), seat)
            return found

        for each in bots.OF_RULES:
            with subtests.test(each):
                assert round(each, 1).history == round(each, 1).history
                assert len({repr(round(each, seed).history) for seed in range(10)}) > 1
                assert round(each, None).over


class TestTexts:
    @each_played
    def test_every_text_of_a_round_can_be_rendered(self, game: mekuri.Game) -> None:
        """In every language: prompts, choices, events, score sheets."""
        book, round = game.rulebook, random_round(game, 10)
        spoken = [event.text for viewer in some_viewers(game, 10) for event in round.events(viewer)]
        assert all(book.render(text, lang) for text in spoken for lang in LANGUAGES)
        for number, now in enumerate(steps(round)):
            assert str(now)
            assert str(now.score_sheet()) or not now.score_sheet().lines
            for viewer in some_viewers(game, number):
                view = now.view(viewer)
                assert str(view)
                texts = [view.prompt] if view.prompt else []
                texts += [choice.text for choice in view.legal] + [line.text for line in view.score]
                for lang in LANGUAGES:
                    assert all(book.render(text, lang) for text in texts)

    def test_words_are_distinct_from_cards(self) -> None:
        for game in PLAYED:
            round = game.deal(seed=1)
            for word in game.contract.words:
                assert isinstance(word, Choice)
                assert round.parse_action(word.text) == int(word)
                assert round.action_text(int(word)) == word.text


def test_all_errors_are_value_errors() -> None:
    """So a caller who catches ValueError catches them all."""
    kinds = (MekuriError, UnknownGame, OptionError, mekuri.PositionError, mekuri.RecordError, IllegalAction, NotationError)
    assert all(issubclass(kind, ValueError) for kind in kinds)
    assert all(kind.__doc__ for kind in kinds)


def test_exported_names_exist() -> None:
    assert sorted(mekuri.__all__) == list(mekuri.__all__)
    assert all(hasattr(mekuri, name) for name in mekuri.__all__)


@each_game
def test_names_of_players_are_one_line(name: str) -> None:
    """One line each: a name may not pass for another line of a log."""
    game = mekuri.game(name)
    for bad in ("a\nb", "a\tb", "\u2028", "\x1b[2J", "\ud800", 7, None):
        names: Any = (bad, *["B"] * (game.seats - 1))
        with pytest.raises(OptionError, match="name"):
            game.match(players=names)
    with pytest.raises(OptionError, match="seats"):
        game.match(players=("A",) * (game.seats + 1))


@each_game
def test_invalid_arguments_raise_mekuri_errors(name: str) -> None:
    """Whatever is handed in, the refusal is one of ours."""
    game = mekuri.game(name)
    seeds: tuple[Any, ...] = (10**5000, 1.5, None.__class__, [])
    for seed in seeds:
        with pytest.raises(MekuriError, match="seed"):
            game.deal(seed=seed)
    for dealer in ("a", 0.5, -1, game.seats):
        with pytest.raises(OptionError, match="dealer"):
            game.deal(seed=1, dealer=dealer)  # type: ignore[arg-type]
    for number in ("a", -1, 1 << 40):
        with pytest.raises(OptionError, match="number"):
            game.deal(seed=1, number=number)  # type: ignore[arg-type]
    with pytest.raises(mekuri.PositionError, match="text"):
        game.position(None)  # type: ignore[arg-type]
    with pytest.raises(mekuri.RecordError, match="Record"):
        mekuri.replay(5)  # type: ignore[arg-type]
    for players in (5, "ab"):
        with pytest.raises(OptionError, match="names"):
            game.match(players=players)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="played by"):
        mekuri.game(name, seats=float(game.seats))  # type: ignore[call-overload]


@each_game
def test_match_view_shows_its_ledger(name: str) -> None:
    match = mekuri.game(name).match(seed=1, rounds=2)
    assert match.view(0).ledger == tuple(match.game.contract.match.opening(match.options, match.game.seats, match.dealer))
    while not match.round.over:
        match.round.play(match.round.legal[0])
    match.next_round()
    assert (match.view(0).ledger, match.view(0).accounts) == (tuple(match.ledger), match.accounts)
    assert match.view(0).zones == match.round.view(0).zones
