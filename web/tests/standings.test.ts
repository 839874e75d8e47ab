import { expect, it } from "vitest";
import { standings } from "../src/table/standings";
import type { Line, View } from "../src/wire";

type Standing = Pick<View, "you" | "scores" | "ledger" | "score" | "over">;
const round = { score: [], over: false };
const counted = (...all: [number, number | null][]): Standing => ({
  you: 1,
  scores: all.map(([points, wins_from]) => ({ points, wins_from })),
  ledger: all.map(() => ({ points: 7 })),
  ...round,
});

it("begins with the viewer and follows the turn order", () => {
  expect(standings(counted([1, 9], [2, 9], [3, 9])).seats.map(({ seat }) => seat)).toEqual([1, 2, 0]);
});

it("shows a common target once", () => {
  expect(standings(counted([1, 9], [2, 9]))).toEqual({
    seats: [
      { seat: 1, score: 2, from: null },
      { seat: 0, score: 1, from: null },
    ],
    from: 9,
    counts: true,
    unit: null,
  });
});

it("shows different targets for each", () => {
  const { seats, from } = standings(counted([72, 126], [105, 116]));
  expect([from, ...seats.map((each) => each.from)]).toEqual([null, 116, 126]);
});

it("omits the target of a player who cannot win any more", () => {
  expect(standings(counted([1, 9], [2, 9], [0, null])).from).toBe(9);
});

it("is the score of the match if the round has no count", () => {
  expect(standings({ you: null, scores: [null, null], ledger: [{}, { chips: 30, loans: 5 }], ...round })).toEqual({
    seats: [
      { seat: 0, score: 0, from: null },
      { seat: 1, score: 30, from: null },
    ],
    from: null,
    counts: false,
    unit: "chips",
  });
});

it("includes payments of the round at once, and the ledger at its end", () => {
  const line = (seat: number, points: number): Line => ({ text: { id: "sheet.cards" }, seat, points, cards: [], clause: "" });
  const base = { you: 0, scores: [], ledger: [{ points: 3 }, { points: -3 }], score: [line(0, -9), line(1, 4), line(1, 5)] };
  const scores = (over: boolean): number[] => standings({ ...base, over }).seats.map(({ score }) => score);
  expect(scores(false)).toEqual([-6, 6]);
  expect(scores(true)).toEqual([3, -3]);
});
