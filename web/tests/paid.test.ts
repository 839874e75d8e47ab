import { describe, expect, it } from "vitest";
import { paid } from "../src/table/paid";
import type { View } from "../src/wire";

const view = (points: number[], fields: Partial<View> = {}): View =>
  ({
    score: points.map((points, seat) => ({ seat, points, text: { id: "lines.any" }, cards: [], clause: "" })),
    ledger: points.map(() => ({})),
    middle: {},
    over: false,
    returns: null,
    brings: [],
    ...fields,
  }) as unknown as View;

describe("stones", () => {
  it("go from seats with falling scores to seats with rising ones", () => {
    expect(paid(view([0, 0]), view([3, -3]))).toEqual([
      ["1", "0"],
      ["1", "0"],
      ["1", "0"],
    ]);
  });

  it("follow the result of a round at its end, once", () => {
    const over = view([40, 20], { over: true, returns: [2, -2] });
    expect(paid(view([40, 20]), over)).toEqual([
      ["1", "0"],
      ["1", "0"],
    ]);
    expect(paid(over, over)).toEqual([]);
  });

  it("belong to the account of the round", () => {
    const over = view([0, 0], { over: true, returns: [1, -1], brings: [{ points: 1 }, { points: 0 }] });
    expect(paid(view([0, 0]), over)).toEqual([]); // nobody gives any
  });

  it("lie in the middle meanwhile", () => {
    expect(paid(view([0, 0], { middle: { pot: 0 } }), view([-1, 0], { middle: { pot: 1 } }))).toEqual([["0", "pot"]]);
    expect(paid(view([0, 0], { middle: { pot: 2 } }), view([0, 2], { middle: { pot: 0 } }))).toHaveLength(2);
  });

  it("come from every payer, and never in too large a number", () => {
    const found = paid(view([0, 0, 0]), view([200, -100, -100]));
    expect(found).toHaveLength(6);
    expect(new Set(found.map(([from]) => from))).toEqual(new Set(["1", "2"]));
  });

  it("do not move for points", () => {
    expect(paid(view([0, 0]), view([10, 0]))).toEqual([]);
  });
});
