// Partners: who stands for a side, and what the sheet, the standings and the result show of it.

import { expect, test } from "vitest";
import { winner } from "../src/table/outcome";
import { seatParts } from "../src/table/settlement";
import { named, partners, speaker } from "../src/table/sides";
import { standings } from "../src/table/standings";

const SIDES = [0, 1, 0, 1];

test("the viewer stands for its side, else the first seat", () => {
  expect(partners({ sides: SIDES }, 3)).toEqual([1, 3]);
  expect(partners({}, 3)).toEqual([3]);
  expect([0, 1, 2, 3].map((seat) => speaker({ sides: SIDES, you: 2 }, seat))).toEqual([2, 1, 2, 1]);
  expect([0, 1, 2, 3].map((seat) => speaker({ sides: SIDES, you: null }, seat))).toEqual([0, 1, 0, 1]);
  expect(named({ sides: SIDES }, 1, (seat) => "ABCD".charAt(seat), ", ")).toBe("B, D");
});

test("a side has one part of the sheet and one standing", () => {
  const view = { you: 2, sides: SIDES, score: [], returns: [5, -5, 5, -5], brings: [], scores: [], over: true };
  expect(seatParts(view).map(({ seat }) => seat)).toEqual([1, 2]);
  const ledger = [5, 0, 5, 0].map((points) => ({ points }));
  expect(standings({ ...view, ledger }).seats.map(({ seat }) => seat)).toEqual([2, 1]);
});

test("the winner of a round is the seat that stands for the winning side", () => {
  const result = { id: "results.side-won", args: { seat: 0 } };
  expect(winner({ result, sides: SIDES, you: 2 })).toBe(2);
  expect(winner({ result, sides: SIDES, you: 3 })).toBe(0);
});
