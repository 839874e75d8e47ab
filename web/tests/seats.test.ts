import { describe, expect, it } from "vitest";
import "./stubs";

const { ALONE, askedTogether } = await import("../src/table/seats");

const waiting = (...seats: number[]) => ({ over: false, waiting: seats });

describe("those who are asked together", () => {
  it("stay together while there are fewer and fewer to wait for", () => {
    const all = askedTogether(ALONE, waiting(0, 1, 3));
    expect(all).toEqual({ asked: [0, 1, 3], left: [0, 1, 3] });
    const two = askedTogether(all, waiting(0, 3));
    expect(two).toEqual({ asked: [0, 1, 3], left: [0, 3] });
    expect(askedTogether(two, waiting(3))).toEqual({ asked: [0, 1, 3], left: [3] });
  });

  it("are others once somebody else is asked, or the same again", () => {
    const two = askedTogether(askedTogether(ALONE, waiting(0, 1)), waiting(1));
    expect(askedTogether(two, waiting(0))).toEqual({ asked: [0], left: [0] });
    expect(askedTogether(two, waiting(0, 1, 2)).asked).toEqual([0, 1, 2]);
  });

  it("are none while the table itself acts, and when the round is over", () => {
    const two = askedTogether(ALONE, waiting(0, 1));
    expect(askedTogether(two, waiting(16)).asked).toEqual([]);
    expect(askedTogether(two, { over: true, waiting: [0] }).asked).toEqual([]);
    expect(askedTogether(two, null).asked).toEqual([]);
  });
});
