import { describe, expect, test } from "vitest";
import "./stubs";
import type { Event, Line, View, Zone } from "../src/wire";

const { closer, deedOf, lasts, looked, momentsOf, packetsOf } = await import("../src/table/moments");

type Happened = Pick<Event, "kind" | "seat" | "text" | "view" | "head">;

function view(fields: Partial<View> = {}): View {
  return {
    game: "g",
    version: 1,
    you: 0,
    dealer: 0,
    waiting: [],
    closes: null,
    prompt: null,
    shape: "faces",
    zones: [],
    legal: [],
    refused: [],
    score: [],
    near: [],
    middle: {},
    over: false,
    ending: null,
    returns: null,
    next_dealer: null,
    ledger: [],
    accounts: {},
    ...fields,
  };
}

const line = (seat: number, yaku: string, points: number): Line => ({
  seat,
  text: { id: points < 0 ? "lines.paid" : "lines.yaku", args: { yaku } },
  cards: ["1I", "2I"],
  points,
  clause: "",
});

const zone = (fields: Partial<Zone>): Zone => ({
  id: "field",
  owner: null,
  kind: "field",
  layout: "grid",
  cards: [],
  count: 0,
  ...fields,
});

const play = (after: View, text: Happened["text"] = { id: "events.play" }, seat = 1): Happened => ({
  kind: "play",
  seat,
  text,
  view: after,
  head: null,
});

describe("a yaku", () => {
  const made = view({ score: [line(1, "blue", 50), line(0, "blue", -50)] });
  const yaku = { kind: "yaku", seat: 1, yaku: "blue", cards: ["1I", "2I"], points: 50, from: [0], last: false };

  test("is a moment when it is made, with its points and its payer", () => {
    expect(momentsOf(view(), play(made))).toEqual([yaku]);
  });

  test("is a moment once", () => {
    expect(momentsOf(made, play(view({ score: [...made.score, line(0, "red", 20)] })))).toMatchObject([{ yaku: "red", seat: 0 }]);
  });

  test("without points is a moment only if it wins", () => {
    const counts = view({ score: [line(1, "blue", 0)] });
    expect(momentsOf(view(), play(counts))).toEqual([]);
    const won = momentsOf(view(), play({ ...counts, over: true, returns: [0, 1], result: { id: "results.won" } }));
    expect(won.map(({ kind }) => kind)).toEqual(["yaku", "round"]);
    expect(won[0]).toMatchObject({ last: true, points: 0 });
  });

  test("made before the viewer arrived is no moment", () => {
    expect(momentsOf(null, play(made))).toEqual([]);
  });
});

describe("a cloth", () => {
  const covered = (cards: (string | null)[]): View => view({ zones: [zone({ layout: "cloth", cards, count: 1 })] });
  const bare = view({ zones: [zone({ layout: "row", cards: ["5I"], count: 1 })] });

  test.each([[[null]], [["5I"]]])("is lifted, also for a viewer who knew the card: %j", (cards) => {
    expect(momentsOf(covered(cards), play(bare))).toEqual([{ kind: "cloth", card: "5I" }]);
  });

  test("that is laid, or stays, is no moment", () => {
    expect(momentsOf(bare, play(covered([null])))).toEqual([]);
    expect(momentsOf(covered([null]), play(covered([null])))).toEqual([]);
  });
});

test("a call is a text of the catalogue's cries", () => {
  const text = { id: "events.call", args: { seat: 1 } };
  expect(momentsOf(view(), play(view(), text))).toEqual([]);
  const moments = momentsOf(view(), play(view(), text), { call: "Hey!" });
  expect(moments).toEqual([{ kind: "cry", cry: "Hey!", text }]);
  expect(looked(view(), play(view(), text), 0, moments)).toBe(0); // it is looked at while it is cried
});

test("the end of a round has the winner, the amount, and the payers", () => {
  const result = { id: "results.won", args: { seat: 1 } };
  const over = view({ over: true, returns: [-8, 12, -4], result });
  expect(momentsOf(view(), play(over))).toEqual([{ kind: "round", winners: [1], losers: [0, 2], result }]);
  expect(momentsOf(over, play(over))).toEqual([]);
  expect(momentsOf(view(), play({ ...over, returns: [0, 0] }))).toMatchObject([{ winners: [], losers: [] }]);
});

test("the end of a match has its winner, unless it was given up", () => {
  const result = { id: "results.match-won", args: { seat: 1 } };
  const end = (why: string): Happened => ({
    ...play(view()),
    kind: "end",
    head: { why, winners: [1], result } as unknown as Event["head"],
  });
  expect(momentsOf(view(), end("played"))).toEqual([{ kind: "match", winners: [1], result }]);
  expect(momentsOf(view(), end("abandoned"))).toEqual([]);
});

test("deeds have their own sounds", () => {
  const takes = { id: "e", args: { card: "1I", cards: ["1O"] } };
  const dealt = view({ zones: [zone({ id: "hand", owner: 0, kind: "hand", cards: Array<null>(8).fill(null), count: 8 })] });
  const near = view({ near: [{ yaku: "blue", missing: ["2I"], steps: 1 }] });
  expect(deedOf(view(), play(view()))).toBe("lay");
  expect(deedOf(view(), play(view(), takes))).toBe("take");
  expect(deedOf(view(), play(view(), takes, 16))).toBe("turn");
  expect(deedOf(view(), play(dealt, { id: "e" }, 16))).toBe("deal");
  expect(deedOf(view(), play(near))).toBe("close");
  expect(deedOf(view(), { ...play(view()), kind: "sit" })).toBeNull();
});

test("a yaku comes close once, and for each viewer", () => {
  const near = (missing: string[], you = 0): View => view({ you, near: [{ yaku: "blue", missing, steps: missing.length }] });
  expect(closer(near(["1I", "2I"]), near(["1I"]))).toBe("blue");
  expect(closer(near(["1I"]), near(["1I"]))).toBeNull();
  expect(closer(near(["1I", "2I"]), near(["1I"], 1))).toBeNull();
});

test("packets are those of the deal's text", () => {
  expect(packetsOf(play(view(), { id: "e", args: { packets: "hand-1:4 field:3" } }))).toEqual([
    ["hand-1", 4],
    ["field", 3],
  ]);
  expect(packetsOf(play(view()))).toEqual([]);
});

test("a repeated moment of a round is shorter", () => {
  const cloth = { kind: "cloth", card: "5I" } as const;
  expect(lasts(cloth, true)).toBe(lasts(cloth, false) * 0.6);
});
