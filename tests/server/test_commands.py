"""Actions that come twice, late, early, all at once or in another order: each happens once, and is answered alike."""

import asyncio
from pathlib import Path
from random import Random

import httpx
import pytest

import mekuri
from mekuri import games
from mekuri.cards import card_text
from mekuri.engine.options import all_texts, differing
from mekuri.protocol import table as wire
from mekuri.table import commands
from tests.helpers.server.gathering import begun, choosing, each_vote, full, guests, post
from tests.helpers.server.serving import Guest, Json, Serving, play_out, refused, serving
from tests.helpers.tables import each_match_preset, games_in_turn, seats_for


def refusal(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]


def actions(view: Json) -> list[str]:
    return [legal["action"] for legal in view["legal"]]


class Sent:
    """Actions sent, and their answers."""

    def __init__(self, table: str, people: list[Guest]) -> None:
        self.table = table
        self.people = people
        self.answers: list[tuple[Guest, int, str, bytes]] = []

    async def play(self, most: int, chance: Random) -> None:
        """Play on, so many actions at most, or to the end of the match."""
        while len(self.answers) < most:
            for guest in self.people:
                whole = await guest.look(self.table)
                if whole["head"]["state"] == "over":
                    return
                if whole["view"]["over"]:
                    await guest.ready(self.table, whole["head"]["round"])
                elif whole["view"]["legal"]:
                    action = chance.choice(whole["view"]["legal"])["action"]
                    await self.send(guest, whole["view"]["version"], action)

    async def send(self, guest: Guest, version: int, action: str) -> None:
        answer = await post(guest, self.table, version, action)
        assert answer.status_code == 200, answer.text
        self.answers.append((guest, version, action, answer.content))

    async def send_again(self, chance: Random) -> None:
        """Send everything again, in another order and several at a time: nothing but the same answers comes of it."""
        before = [await guest.look(self.table) for guest in self.people]
        again = chance.sample(self.answers, len(self.answers))
        for start in range(0, len(again), 8):
            some = again[start : start + 8]
            answers = await asyncio.gather(*(post(guest, self.table, version, action) for guest, version, action, _ in some))
            assert [(answer.status_code, answer.content) for answer in answers] == [(200, content) for *_, content in some]
        assert [await guest.look(self.table) for guest in self.people] == before


class TestRetries:
    @pytest.mark.alone
    @games_in_turn(0)
    async def test_concurrent_retries_happen_once(self, people: list[Guest], name: str) -> None:
        table = await begun(people, name)
        guest, view = await choosing(table, people)
        action = view["legal"][0]["action"]
        answers = await asyncio.gather(*(post(guest, table, view["version"], action) for _ in range(5)))
        assert {(answer.status_code, answer.content) for answer in answers} == {(200, answers[0].content)}
        played = [event for event in await guest.events(table, view["version"]) if event["seat"] == view["you"]]
        assert [event["action"] for event in played] == [action]

    @games_in_turn(1)
    async def test_retries_in_any_order_get_the_same_answers(self, people: list[Guest], tmp_path: Path, name: str) -> None:
        """In mid-round, after the match, and after a restart."""
        chance = Random(name)
        sent = Sent(await begun(people, name), people)
        await sent.play(9, chance)
        await sent.send_again(chance)
        await sent.play(10_000, chance)
        await sent.send_again(chance)
        async with serving(tmp_path / "mekuri.db") as other:
            for guest in people:
                guest.http.base_url = httpx.URL(other.address)
            await sent.send_again(chance)

    @pytest.mark.alone
    @games_in_turn(2)
    async def test_second_action_for_a_decision_gets_409(self, people: list[Guest], name: str) -> None:
        table = await begun(people, name)
        guest, view = await choosing(table, people, least=2)
        first, second = actions(view)[:2]
        assert (await post(guest, table, view["version"], first)).status_code == 200
        before = await guest.look(table)
        assert refusal(await post(guest, table, view["version"], second)) == (409, "decided-otherwise")
        assert await guest.look(table) == before

    @pytest.mark.alone
    @games_in_turn(0)
    async def test_one_of_several_concurrent_actions_wins(self, people: list[Guest], name: str) -> None:
        """One action wins, and later ones are compared with it."""
        table = await begun(people, name)
        guest, view = await choosing(table, people, least=2)
        sent = actions(view) * 2
        answers = await asyncio.gather(*(post(guest, table, view["version"], action) for action in sent))
        stands = {answer.json()["action"] for answer in answers if answer.status_code == 200}
        assert len(stands) == 1
        assert {answer.status_code for answer in answers} == {200, 409}
        assert all((answer.status_code == 200) == (action in stands) for answer, action in zip(answers, sent, strict=True))


class TestVersions:
    @pytest.mark.alone
    @games_in_turn(1)
    async def test_version_ahead_gets_409(self, people: list[Guest], name: str) -> None:
        table = await begun(people, name)
        guest, view = await choosing(table, people)
        action = view["legal"][0]["action"]
        assert refusal(await post(guest, table, view["version"] + 1, action)) == (409, "ahead")
        assert (await post(guest, table, view["version"], action)).status_code == 200

    @pytest.mark.alone
    @games_in_turn(2)
    async def test_passed_version_is_stale(self, people: list[Guest], name: str) -> None:
        """Versions at which a decision was asked stand for it; all others are too old. Nothing comes of any of them."""
        table = await begun(people, name, rounds=12)
        sent = Sent(table, people)
        await sent.play(12, Random(name))
        guest, view = await choosing(table, people)
        own = {version: action for other, version, action, _ in sent.answers if other is guest}
        never = next(card for card in map(card_text, range(48)) if card not in {*own.values(), *actions(view)})
        found = {version: refusal(await post(guest, table, version, never))[1] for version in range(view["version"] + 1)}
        assert {found[version] for version in own} == {"decided-otherwise"}
        assert found[0] == "stale"
        assert found[view["version"]] == "illegal"
        # Between an answer and the next question there is nothing to answer.
        assert list(found.values()).count("stale") > 1
        assert (await guest.look(table))["view"] == view

    @pytest.mark.alone
    @games_in_turn(0)
    async def test_action_out_of_turn_gets_422_with_a_clause(self, people: list[Guest], name: str) -> None:
        """A seat out of turn gets the rules' refusal, with the clause."""
        table = await begun(people, name)
        while True:
            guest, view = await choosing(table, people)
            if len(view["waiting"]) == 1:
                break
            await guest.play(table, view["version"], view["legal"][0]["action"])
        other = next(other for other in people if other is not guest)
        version = (await other.look(table))["version"]
        answer = await post(other, table, version, view["legal"][0]["action"])
        assert refusal(answer) == (422, "illegal")
        assert answer.json()["clause"].startswith(f"{name}.")
        assert (await guest.look(table))["view"] == view

    @pytest.mark.alone
    @games_in_turn(1)
    async def test_action_outside_the_match_gets_409(self, people: list[Guest], name: str) -> None:
        aki, *others = people
        table = await aki.make(name, **full(name, match_options={"rounds": "1"}))
        await aki.sit(table)
        assert refusal(await post(aki, table, 0, "1H")) == (409, "not-running")
        for other in others:
            await other.sit(table)
        whole = await play_out(table, people)
        assert refusal(await post(aki, table, whole["version"], "1H")) == (409, "not-running")


@each_match_preset
def test_preset_sets_match_options_and_explicit_ones_win(name: str, preset: str) -> None:
    """The resulting options are in the log, and explicit ones take precedence."""
    wanted = mekuri.game(name, preset).match_options({})
    for option, default in all_texts(games.find(name).match_options()).items():
        for given in ({}, {option: default}):
            table = commands.make("m", bytes(32), wire.AskTable(game=name, preset=preset, match_options=given), "p", 0)
            assert all_texts(table.match_options) == all_texts(wanted) | given
            assert table.fresh[0].body["match_options"] == differing(table.match_options)


@each_vote
class TestVotes:
    """Decisions that several seats make at once, unseen."""

    async def vote(self, table: str, guest: Guest, choice: int, view: Json) -> httpx.Response:
        return await post(guest, table, view["version"], view["legal"][choice]["action"])

    async def start(self, people: list[Guest], name: str) -> tuple[str, list[Json]]:
        table = await begun(people, name)
        views = [(await guest.look(table))["view"] for guest in people]
        assert all(len(view["legal"]) > 1 for view in views)
        return table, views

    @pytest.mark.alone
    @pytest.mark.parametrize("first", [0, 1])
    async def test_votes_in_either_order_give_the_same_result(self, people: list[Guest], name: str, first: int) -> None:
        table, views = await self.start(people, name)
        second = 1 - first
        answer = await self.vote(table, people[first], 0, views[first])
        assert answer.status_code == 200
        # The other may learn that a vote was cast, never which one.
        whole = await people[second].look(table)
        assert whole["view"]["legal"] == views[second]["legal"]
        events = await people[second].events(table, views[second]["version"])
        assert [(event["seat"], event["action"]) for event in events] == [(first, None)] * len(events)
        own = await people[first].events(table, views[first]["version"])
        assert [event["action"] for event in own] == [views[first]["legal"][0]["action"]]
        # A vote that was sent again stands as it was; so does the other's, made from a view of before the first.
        assert (await self.vote(table, people[first], 0, views[first])).content == answer.content
        assert refusal(await self.vote(table, people[first], 1, views[first])) == (409, "decided-otherwise")
        late = await self.vote(table, people[second], 1, views[second])
        assert late.status_code == 200
        assert (await self.vote(table, people[second], 1, views[second])).content == late.content
        assert (await self.vote(table, people[first], 0, views[first])).content == answer.content

    @pytest.mark.alone
    async def test_vote_does_not_show_in_events_of_the_other(self, server: Serving, name: str) -> None:
        """The other's events are the same, but for the cards of another deal in their views."""
        shown = []
        for choice in (0, 1):
            async with guests(server, "Aki", "Ben") as people:
                table, views = await self.start(people, name)
                await self.vote(table, people[0], choice, views[0])
                events = await people[1].events(table, views[1]["version"])
                shown.append([(event["version"], event["kind"], event["seat"], event["action"], event["text"]) for event in events])
        assert shown[0] == shown[1]

    @pytest.mark.alone
    async def test_concurrent_votes_are_each_counted_once(self, people: list[Guest], name: str) -> None:
        table, views = await self.start(people, name)
        answers = await asyncio.gather(
            *(self.vote(table, guest, 0, view) for guest, view in zip(people, views, strict=True) for _ in range(3))
        )
        assert {answer.status_code for answer in answers} == {200}
        contents = [answer.content for answer in answers]
        assert len(set(contents[:3])) == len(set(contents[3:])) == 1
        whole = await play_out(table, people)
        assert whole["head"]["why"] == "played"


@pytest.mark.alone
async def test_table_of_bots_alone_is_refused(aki: Guest, name: str) -> None:
    """Only people can end a match."""
    assert await refused(aki.make(name, seats=seats_for(name, "random", "greedy"))) == (400, "no-person")
