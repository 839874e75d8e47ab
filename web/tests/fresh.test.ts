import { expect, test } from "vitest";
import { lately } from "../src/table/fresh";

const texts = (...seats: (number | null)[]) => seats.map((seat, n) => ({ id: `${n}`, args: seat === null ? {} : { seat } }));
const ids = (seats: (number | null)[], you: number | null) => lately(texts(...seats), you).map(({ id }) => Number(id));

test("all actions of others since the viewer's last one are fresh, with the viewer's present one", () => {
  expect(ids([0, 0, 1, 1, 2], 0)).toEqual([2, 3, 4]);
  expect(ids([2, 0, 1, 2, 0, 0], 0)).toEqual([2, 3, 4, 5]);
  expect(ids([null, 1, 2], 0)).toEqual([0, 1, 2]);
  expect(ids([0, 0], 0)).toEqual([0, 1]);
});

test("a spectator sees the last turn", () => {
  expect(ids([0, 1, 1], null)).toEqual([1, 2]);
  expect(ids([], null)).toEqual([]);
});
