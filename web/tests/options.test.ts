import { describe, expect, test } from "vitest";
import {
  asked,
  changed,
  fits,
  fromSearch,
  isOwn,
  numbers,
  PERSON,
  seated,
  toSearch,
  usualSeats,
  withPlayers,
  withPace,
  withPreset,
  YOU,
} from "../src/new/setup";
import type { GameInfo, Option } from "../src/wire";

const words = { en: "x" };
const option = (name: string, given: Partial<Option>): Option => ({
  name,
  default: "",
  values: [],
  least: 0,
  most: 0,
  row: false,
  offered: [],
  older: {},
  title: words,
  help: words,
  value_texts: {},
  clauses: [],
  ...given,
});
const game: GameInfo = {
  face: "1H",
  side: false,
  hard: 0,
  minutes: 0,
  id: "some",
  version: 1,
  name: words,
  summary: words,
  seats: [3, 2],
  shape: "ring",
  presets: [
    { id: "default", options: {}, match_options: {}, text: words, name: words },
    { id: "old", options: { chaff: "20", wild: "yes" }, match_options: {}, text: words, name: words },
    { id: "same", options: {}, match_options: {}, text: words, name: words },
    { id: "long", options: {}, match_options: { rounds: "40" }, text: words, name: words },
    { id: "first", options: {}, match_options: { rounds: "1" }, text: words, name: words },
  ],
  options: [
    option("chaff", { default: "21", values: ["21", "20", "22"] }),
    option("wild", { default: "no", values: ["no", "yes"] }),
    option("hand", { default: "6", least: 1, most: 11 }),
    option("deck", { default: "1,2,3,4", least: 1, most: 4, row: true }),
  ],
  match_options: [
    option("rounds", { default: "6", least: 1, most: 48 }),
    option("bank", { default: "2", least: 1, most: 9, offered: ["2", "3", "all"], older: { "0": "all" } }),
  ],
  packs: [],
  bots: [],
  usual: "strong",
  company: ["strong", "weak", "strong"],
};
const setup = (search = "") => fromSearch(game, new URLSearchParams(search));

test("a match turn by turn is short, unless its length was chosen", () => {
  const sitting = setup();
  const slow = withPace(game, sitting, { ...sitting, days: 3 });
  expect(slow.match["rounds"]).toBe("1");
  expect(withPace(game, slow, { ...slow, days: 7 }).match["rounds"]).toBe("1");
  expect(withPace(game, slow, { ...slow, days: 0 }).match["rounds"]).toBe("6");
  const chosen = { ...sitting, match: { ...sitting.match, rounds: "3" } };
  expect(withPace(game, chosen, { ...chosen, days: 3 }).match["rounds"]).toBe("3");
});

describe("the request", () => {
  test("has no default values", () => {
    expect(asked(game, setup())).toEqual({ game: "some", seats: [PERSON, "strong", "weak"] });
  });

  test("has a preset by its name, without its options", () => {
    expect(asked(game, withPreset(game, setup(), "old"))).toMatchObject({ preset: "old" });
    expect(asked(game, withPreset(game, setup(), "old"))).not.toHaveProperty("options");
  });

  test("has a changed preset as differences from the defaults, without its name", () => {
    const chosen = withPreset(game, setup(), "old");
    const sent = asked(game, { ...chosen, options: { ...chosen.options, wild: "no", hand: "8" } });
    expect(sent.options).toEqual({ chaff: "20", hand: "8" });
    expect(sent).not.toHaveProperty("preset");
  });

  test("of an entry has the options that differ from the entry's own", () => {
    const entry = { ...game, id: "other", presets: [{ ...game.presets[0]!, options: { chaff: "20" } }, ...game.presets.slice(1)] };
    const usual = fromSearch(entry, new URLSearchParams());
    expect(usual.options["chaff"]).toBe("20");
    expect(asked(entry, usual)).not.toHaveProperty("options");
    const back = game.options.find(({ name }) => name === "chaff")!.default;
    expect(asked(entry, { ...usual, options: { ...usual.options, chaff: back } })).toMatchObject({
      game: "other",
      options: { chaff: back },
    });
  });

  test("has options of a match that differ", () => {
    expect(asked(game, { ...setup(), match: { rounds: "12" } }).match_options).toEqual({ rounds: "12" });
  });

  test("has lots for the seats of more than two", () => {
    const drawn = setup("?seating=lot");
    expect(asked(game, drawn)).toMatchObject({ seating: "lot" });
    expect(toSearch(game, drawn)).toBe("?seating=lot");
    expect(asked(game, { ...drawn, seats: [YOU, "strong"] })).not.toHaveProperty("seating");
  });

  test("has the first dealer if a seat is named", () => {
    expect(asked(game, setup())).not.toHaveProperty("first_dealer");
    expect(asked(game, setup("?dealer=3"))).toMatchObject({ first_dealer: 2 });
    expect(toSearch(game, setup("?dealer=3"))).toBe("?dealer=3");
    for (const nobody of ["4", "0", "lot", ""]) expect(setup(`?dealer=${nobody}`).dealer).toBeNull();
    expect(withPlayers(setup("?dealer=3"), 2, game)).toMatchObject({ dealer: null, seats: [YOU, "strong"] });
    expect(withPlayers(setup("?dealer=2"), 2, game).dealer).toBe(1);
  });

  test("makes a table public only if it has a free seat", () => {
    expect(asked(game, { ...setup(), public: true })).not.toHaveProperty("public");
    expect(asked(game, { ...setup(), seats: [YOU, PERSON], public: true })).toMatchObject({
      public: true,
      seats: [PERSON, PERSON],
    });
  });
});

describe("presets", () => {
  test("a changed option makes them custom, and changing it back does not", () => {
    const chosen = withPreset(game, setup(), "old");
    const other = { ...chosen, options: { ...chosen.options, chaff: "22" } };
    expect([isOwn(game, chosen), isOwn(game, other)]).toEqual([false, true]);
    expect(isOwn(game, { ...other, options: { ...other.options, chaff: "20" } })).toBe(false);
  });

  test("choosing one sets every option", () => {
    const chosen = { ...setup(), options: { chaff: "22", wild: "no", hand: "9", deck: "1" } };
    expect(withPreset(game, chosen, "old").options).toEqual({ chaff: "20", wild: "yes", hand: "6", deck: "1,2,3,4" });
  });

  test("of two with the same options, the chosen one stays chosen", () => {
    expect(asked(game, withPreset(game, setup(), "same"))).toMatchObject({ preset: "same" });
  });
});

describe("presets that choose for the match too", () => {
  const long = withPreset(game, setup(), "long");

  test("are sent by name, with other options of the match", () => {
    expect(long.match).toEqual({ rounds: "40", bank: "2" });
    expect(asked(game, long)).toMatchObject({ preset: "long" });
    expect(asked(game, long)).not.toHaveProperty("match_options");
    expect(asked(game, { ...long, match: { rounds: "6" } })).toMatchObject({ preset: "long", match_options: { rounds: "6" } });
  });

  test("leave no options behind, and keep the options chosen beside them", () => {
    expect(withPreset(game, long, "old").match).toEqual({ rounds: "6", bank: "2" });
    expect(withPreset(game, { ...long, match: { rounds: "12" } }, "old").match).toMatchObject({ rounds: "12" });
    expect(withPreset(game, { ...setup(), match: { rounds: "12" } }, "long").match).toMatchObject({ rounds: "12" });
  });

  test("are sent as differences from the defaults after a change", () => {
    const sent = asked(game, { ...long, options: { ...long.options, hand: "8" } });
    expect(sent).toMatchObject({ options: { hand: "8" }, match_options: { rounds: "40" } });
    expect(sent).not.toHaveProperty("preset");
  });
});

describe("the address", () => {
  test("is empty for defaults", () => expect(toSearch(game, setup())).toBe(""));

  test("leads back to the same setup", () => {
    for (const search of [
      "?preset=old",
      "?preset=old&wild=no&match.rounds=12",
      "?preset=long",
      "?preset=long&match.rounds=6",
      "?hand=8",
      "?deck=1%2C2",
      "?match.bank=all",
    ]) {
      expect(toSearch(game, setup(search))).toBe(search);
    }
  });

  test("with an old number means the word", () => {
    expect(toSearch(game, setup("?match.bank=0"))).toBe("?match.bank=all");
    expect(asked(game, setup("?match.bank=0")).match_options).toEqual({ bank: "all" });
  });

  test("ignores invalid values", () => {
    expect(toSearch(game, setup("?preset=none&chaff=23&hand=12&deck=9&match.rounds=0&other=1"))).toBe("");
    expect(setup("?deck=1-4").options["deck"]).toBe("1,2,3,4");
  });
});

describe("values", () => {
  test("rows of numbers", () => {
    expect(numbers("1-3, 7")).toEqual([1, 2, 3, 7]);
    expect(numbers("3,1,3")).toEqual([1, 3]);
    expect([numbers(""), numbers("a"), numbers("1-"), numbers("1.5")]).toEqual([null, null, null, null]);
  });

  test("must be valid", () => {
    const [chaff, , hand, deck] = game.options as [Option, Option, Option, Option];
    const bank = game.match_options[1] as Option;
    expect(["3", "5", "all", "0", "10", "none"].map((value) => fits(bank, value))).toEqual(
      [true, true, true].concat(Array(3).fill(false)),
    );
    expect([fits(chaff, "22"), fits(chaff, "23")]).toEqual([true, false]);
    expect(["1", "11", "0", "12", "", "3.5", "-1", "1e1"].map((value) => fits(hand, value))).toEqual(
      [true, true].concat(Array(6).fill(false)),
    );
    expect([fits(deck, "1-4"), fits(deck, "1-5"), fits(deck, "")]).toEqual([true, false, false]);
  });

  test("differences from the defaults", () => {
    expect(changed(game.options, { chaff: "20", wild: "no" })).toEqual({ chaff: "20" });
    expect(changed(game.options, { chaff: "20", wild: "no" }, { chaff: "20", wild: "yes" })).toEqual({ wild: "no" });
  });
});

describe("seats", () => {
  test("by default: you, and as many default opponents as fit", () => {
    expect(usualSeats(3, game)).toEqual([YOU, "strong", "weak"]);
    expect(usualSeats(2, game)).toEqual([YOU, "strong"]);
  });

  test("as many as the address says", () => {
    const pairs = { ...game, seats: [3, 2] };
    const two = fromSearch(pairs, new URLSearchParams("players=2"));
    expect(two.seats).toEqual([YOU, "strong"]);
    expect(toSearch(pairs, two)).toBe("?players=2");
    expect(fromSearch(pairs, new URLSearchParams("players=9")).seats).toHaveLength(3);
  });

  test("one is always yours", () => {
    expect(seated([YOU, "weak"], 1, PERSON)).toEqual([YOU, PERSON]);
    expect(seated([YOU, "weak", PERSON], 1, YOU)).toEqual(["weak", YOU, PERSON]);
    expect(seated([YOU, "weak"], 0, "strong")).toEqual(["strong", YOU]);
    expect(seated(["weak", YOU], 1, "strong")).toEqual([YOU, "strong"]);
  });
});

describe("days a move", () => {
  const setup = { ...fromSearch(game, new URLSearchParams("days=3&late=end")), seats: [YOU, PERSON] };

  test("are in the address and in the request", () => {
    expect([setup.days, setup.late]).toEqual([3, "end"]);
    expect(toSearch(game, setup)).toContain("days=3&late=end");
    expect(asked(game, setup).term).toEqual({ days: 3, late: "end" });
    expect(asked(game, { ...setup, club: true }).term).toEqual({ days: 3, late: "end", club: true });
  });

  test("are offered only with other people", () => {
    expect(asked(game, { ...setup, seats: [YOU, "bot"] }).term).toBeUndefined();
    expect(asked(game, { ...setup, days: 0 }).term).toBeUndefined();
  });

  test("of an invalid number are none", () => {
    expect(fromSearch(game, new URLSearchParams("days=4&late=never"))).toMatchObject({ days: 0, late: "bot" });
  });
});
