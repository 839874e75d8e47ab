import { describe, expect, it } from "vitest";
import { fitted, plotted, type Need, type Plan, type Room } from "../src/table/sizes";

const ROOMS: [number, number][] = [
  [344, 684],
  [374, 788],
  [724, 312],
  [796, 1124],
  [1250, 744],
  [1530, 1024],
  [2180, 1384],
];
const need = (changes: Partial<Need> = {}): Need => ({
  shape: "faces",
  others: 1,
  field: 8,
  stacks: 1,
  hand: 8,
  numbered: true,
  ...changes,
});
const room = ([width, height]: [number, number], rem = 16): Room => ({ width, height, rem });

describe("a table", () => {
  it("is upright, broad or low", () => {
    const plans = ROOMS.map((size): Plan => plotted(room(size), need()).plan);
    expect(plans).toEqual(["tall", "tall", "low", "tall", "wide", "wide", "wide"]);
  });

  it("tells of many others in a line each, unless there is room for more", () => {
    const chips = (size: [number, number], others: number): boolean => plotted(room(size), need({ shape: "ring", others })).chips;
    expect(chips([344, 684], 3)).toBe(false);
    expect(chips([344, 684], 4)).toBe(true);
    expect(chips([1250, 744], 6)).toBe(false);
    expect(chips([724, 312], 3)).toBe(true);
    expect(plotted(room([1250, 744]), need({ shape: "bank", others: 15 })).chips).toBe(true);
  });

  it("is brief where its letters would take most of the window", () => {
    expect(plotted(room([344, 684]), need()).brief).toBe(false);
    expect(plotted(room([344, 640], 32), need()).brief).toBe(true);
  });
});

describe("cards", () => {
  it("fit wherever there is room for the smallest", () => {
    for (const size of ROOMS)
      for (const shape of ["faces", "ring", "pile", "bank"])
        for (const field of [0, 8, 11, 14])
          for (const hand of [0, 1, 5, 8, 10]) {
            const asked = need({ shape, field, hand, others: shape === "faces" || shape === "pile" ? 1 : 3 });
            const plot = plotted(room(size), asked);
            const taken = plot.plan === "low" ? 90 : 230;
            const sizes = fitted(room(size), plot, taken, 0, asked);
            const cell = (card: number): number => (card * 51) / 31 + Math.min(0.27 * card, 22);
            const high = sizes.rows * cell(sizes.field) + sizes.hands * cell(sizes.hand);
            const told = `${size} ${shape} ${field} ${hand}`;
            expect(high, told).toBeLessThanOrEqual(size[1] - taken);
            expect(sizes.columns * sizes.rows, told).toBeGreaterThanOrEqual(shape === "faces" || shape === "ring" ? field : 1);
            if (shape === "faces" || shape === "ring") expect(sizes.columns * sizes.field, told).toBeLessThanOrEqual(size[0]);
            if (sizes.hands) expect(Math.ceil(hand / sizes.hands) * sizes.hand, told).toBeLessThanOrEqual(size[0]);
          }
  });

  it("are larger in a larger window, and never larger than they are drawn for", () => {
    const of = (size: [number, number]): number => {
      const asked = need();
      return fitted(room(size), plotted(room(size), asked), 230, 0, asked).field;
    };
    expect(of([1250, 744])).toBeLessThan(of([1530, 1024]));
    expect(of([1530, 1024])).toBeLessThanOrEqual(of([2180, 1384]));
    expect(of([2180, 1384])).toBeCloseTo(150, 1);
  });

  it("of a hand that is not dealt take no room", () => {
    const asked = need({ hand: 0 });
    const sizes = fitted(room([344, 684]), plotted(room([344, 684]), asked), 230, 0, asked);
    expect(sizes.hands).toBe(0);
    expect(sizes.field).toBeGreaterThan(fitted(room([344, 684]), plotted(room([344, 684]), need()), 230, 0, need()).field);
  });
});
