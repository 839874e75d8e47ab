import { expect, it } from "vitest";
import { standings } from "../src/table/standings";
import type { View } from "../src/wire";

type Told = Pick<View, "you" | "scores" | "ledger">;
const counted = (...all: [number, number | null][]): Told => ({
  you: 1,
  scores: all.map(([points, wins_from]) => ({ points, wins_from })),
  ledger: all.map(() => ({ points: 7 })),
});

it("begins with the viewer and goes on as they play", () => {
  expect(standings(counted([1, 9], [2, 9], [3, 9])).seats.map(({ seat }) => seat)).toEqual([1, 2, 0]);
});

it("says once what all are measured against", () => {
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

it("says it of each where it differs", () => {
  const { seats, from } = standings(counted([72, 126], [105, 116]));
  expect([from, ...seats.map((each) => each.from)]).toEqual([null, 116, 126]);
});

it("leaves out who cannot win any more", () => {
  expect(standings(counted([1, 9], [2, 9], [0, null])).from).toBe(9);
});

it("is what they have in the match where nothing is counted in the round", () => {
  expect(standings({ you: null, scores: [null, null], ledger: [{}, { chips: 30, loans: 5 }] })).toEqual({
    seats: [
      { seat: 0, score: 0, from: null },
      { seat: 1, score: 30, from: null },
    ],
    from: null,
    counts: false,
    unit: "chips",
  });
});
