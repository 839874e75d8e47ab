import { expect, test } from "vitest";
import { accounts, payments, running, seatParts, signed, stones } from "../src/table/sheet";
import type { Line, View } from "../src/wire";

const line = (seat: number, points: number): Line => ({ seat, points, text: { id: "lines.x" }, cards: [], clause: "game.score.x" });

const view = (score: Line[], returns: number[] | null): View => ({
  game: "game",
  version: 1,
  you: null,
  dealer: 0,
  waiting: [],
  closes: null,
  prompt: null,
  table: "faces",
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
  house: {},
  middle: {},
});

test("a sheet goes seat by seat, and its total is what the round changes, not a sum of ours", () => {
  const parts = seatParts(view([line(1, 100), line(0, 5), line(1, -10)], [-1, 1]));
  expect(parts.map((part) => [part.seat, part.lines.map((each) => each.points), part.total])).toEqual([
    [0, [5], -1],
    [1, [100, -10], 1],
  ]);
});

test("a finished round names every seat, a round so far only those with lines", () => {
  expect(seatParts(view([line(2, 3)], [0, -3, 3])).map((part) => part.seat)).toEqual([0, 1, 2]);
  expect(seatParts(view([line(2, 3)], null)).map((part) => [part.seat, part.total])).toEqual([[2, null]]);
});

test("those who give and those who get, and nobody for whom nothing changes", () => {
  expect(payments([-7, 0, 10, -3])).toEqual({
    givers: [
      { seat: 0, amount: 7 },
      { seat: 3, amount: 3 },
    ],
    getters: [{ seat: 2, amount: 10 }],
  });
});

test("few stones stand for much, and are worth it exactly", () => {
  expect(stones(123)).toEqual([100, 10, 10, 1, 1, 1]);
  expect(stones(0)).toEqual([]);
  expect(stones(2999).reduce((sum, worth) => sum + worth)).toBe(2999);
});

test("numbers have their signs", () => {
  expect([signed(5), signed(-5), signed(0)]).toEqual(["+5", "−5", "0"]);
});

test("accounts are named once, in the order in which they come", () => {
  expect(accounts([{ rounds: 1, points: 3 }, { points: 2, debt: 1 }, {}])).toEqual(["rounds", "points", "debt"]);
});

test("what a seat's lines count so far is theirs alone", () => {
  const shown = view([line(1, 4), line(0, -4), line(1, 3)], null);
  expect([0, 1, 2].map((seat) => running(shown, seat))).toEqual([-4, 7, 0]);
});
