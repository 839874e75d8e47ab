import { expect, test } from "vitest";
import { decisive, winner } from "../src/table/outcome";
import { accounts, addsUp, payments, seatParts } from "../src/table/settlement";
import { plain, running, signed, stones } from "../src/table/sheet";
import type { Line, View } from "../src/wire";

const line = (seat: number | string, points: number): Line => ({
  seat,
  points,
  text: { id: "lines.x" },
  cards: [],
  clause: "game.score.x",
});

const view = (score: Line[], returns: number[] | null): View => ({
  game: "game",
  version: 1,
  you: null,
  dealer: 0,
  waiting: [],
  closes: null,
  prompt: null,
  shape: "faces",
  zones: [],
  legal: [],
  refused: [],
  score,
  near: [],
  over: returns !== null,
  ending: null,
  returns,
  next_dealer: null,
  ledger: [],
  accounts: {},
  middle: {},
});

test("a sheet goes seat by seat, and its total is the change by the round", () => {
  const parts = seatParts(view([line(1, 100), line(0, 5), line(1, -10)], [-1, 1]));
  expect(parts.map((part) => [part.seat, part.lines.map((each) => each.points), part.total])).toEqual([
    [0, [5], -1],
    [1, [100, -10], 1],
  ]);
});

test("a finished round goes account by account, in the unit of its game first", () => {
  const whole = {
    ...view([line(0, 5), line(1, 3)], [1, -1]),
    brings: [
      { rounds: 1, yaku: 0 },
      { rounds: 0, yaku: 0 },
    ],
  };
  expect(seatParts(whole).map((part) => [part.total, part.brings])).toEqual([
    [1, [["rounds", 1]]],
    [0, [["rounds", 0]]],
  ]);
});

test("lines add up to the payment, or are only compared", () => {
  expect(addsUp(seatParts(view([line(0, 5), line(0, -3), line(1, -2)], [2, -2])))).toBe(true);
  expect(addsUp(seatParts(view([line(0, 5), line(1, 3)], [1, -1])))).toBe(false);
});

test("a finished round names every seat, a round so far only those with lines", () => {
  expect(seatParts(view([line(2, 3)], [0, -3, 3])).map((part) => part.seat)).toEqual([0, 1, 2]);
  expect(seatParts(view([line(2, 3)], null)).map((part) => [part.seat, part.total])).toEqual([[2, null]]);
});

test("payers and receivers exclude seats without a change", () => {
  expect(payments(seatParts(view([line("kitty", 4), line("kitty", 1)], [-12, 0, 10, -3])))).toEqual({
    givers: [
      { seat: 0, amount: 12 },
      { seat: 3, amount: 3 },
    ],
    getters: [
      { seat: 2, amount: 10 },
      { seat: "kitty", amount: 5 },
    ],
  });
});

test("accounts of no seat stand last", () => {
  const parts = seatParts(view([line("kitty", 5), line(1, -5), line(0, 0)], [0, -5]));
  expect(parts.map((part) => [part.seat, part.total])).toEqual([
    [0, 0],
    [1, -5],
    ["kitty", 5],
  ]);
});

test("stones are worth their amount, with some left for change", () => {
  expect(stones(200)).toEqual({ white: 19, black: 10 });
  expect(stones(0)).toEqual({ white: 0, black: 0 });
  for (let amount = 0; amount < 1500; amount += 1) {
    const { white, black } = stones(amount);
    expect(white * 10 + black).toBe(amount);
    expect(black % 10).toBe(amount % 10);
    expect(Math.floor(black / 10)).toBe(amount < 10 ? 0 : 1);
  }
});

test("gains and losses have a sign, amounts only if negative", () => {
  expect([signed(5), signed(-5), signed(0)]).toEqual(["+5", "−5", "0"]);
  expect([plain(5), plain(-5), plain(0)]).toEqual(["5", "−5", "0"]);
});

test("accounts are named once, in the order in which they come", () => {
  expect(accounts([{ rounds: 1, points: 3 }, { points: 2, debt: 1 }, {}])).toEqual(["rounds", "points", "debt"]);
});

test("the sum of a seat's lines is its own", () => {
  const shown = view([line(1, 4), line(0, -4), line(1, 3)], null);
  expect([0, 1, 2].map((seat) => running(shown, seat))).toEqual([-4, 7, 0]);
});

test("a round was decided by the yaku of its result, the lines that its ending names, its largest line, or one of a few cards", () => {
  const of = (seat: number, points: number, cards: number, args = {}, id = "lines.x"): Line => ({
    ...line(seat, points),
    cards: Array.from({ length: cards }, (_, n) => `${n}H`),
    text: { id, args },
  });
  const score = [
    of(0, 90, 30),
    of(0, 10, 4, { yaku: "iris" }),
    of(0, 25, 3, { yaku: "three" }),
    of(1, 40, 3),
    of(0, -5, 2),
    of(0, 0, 9, {}, "lines.chaff"),
  ];
  const ended = (args: NonNullable<View["result"]>["args"], more: Partial<View> = {}): View => ({
    ...view(score, null),
    result: { id: "results.won", args: args ?? {} },
    ...more,
  });
  expect(decisive(ended({ seat: 0, yaku: "iris" }))?.points).toBe(10);
  expect(decisive(ended({ seat: 0 }))?.points).toBe(25);
  expect(decisive(ended({ seat: 2 }))).toBeNull();
  expect(decisive(ended({}))).toBeNull();
  expect([winner(ended({ seat: 0 })), winner(ended({}))]).toEqual([0, null]);
  // If chaff decided, no yaku is raised.
  expect(decisive(ended({ seat: 0 }, { ending: "chaff" }))?.text.id).toBe("lines.chaff");
  // Of many cards those of the first group of the game are raised, and never more than fit.
  const largest = ended({ seat: 0, line: { id: "lines.x" } });
  expect(decisive(largest, [{ cards: ["3H", "5H"] }])).toMatchObject({ points: 90, cards: ["3H", "5H"] });
  expect(decisive(largest)?.cards).toHaveLength(8);
  // The last card on a pile ended the round.
  const pile = [{ id: "pile", kind: "pile", layout: "stack", owner: null, count: 2, cards: ["1H", "2H"] }] as View["zones"];
  expect(decisive(ended({ seat: 1, line: { id: "lines.x" } }, { shape: "pile", zones: pile }))).toMatchObject({
    points: 40,
    cards: ["2H"],
  });
});
