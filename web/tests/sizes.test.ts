import { describe, expect, it } from "vitest";
import { fitted, GAP, NUMBER, plotted, settled, spaced, type Need, type Plan, type Plot, type Sizes } from "../src/table/sizes";

/** Windows, and what the strips of a table take of them but for its bar. */
const WINDOWS: Record<string, [width: number, height: number, strips: number]> = {
  "360x740": [360, 740, 194],
  "390x844": [390, 844, 194],
  "740x360": [740, 360, 46],
  "820x1180": [820, 1180, 276],
  "1280x800": [1280, 800, 68],
  "1920x1080": [1920, 1080, 68],
};
const BARS: Record<Plan, number> = { upright: 44, tablet: 68, low: 0, wide: 52 };
const need = (changes: Partial<Need> = {}): Need => ({
  shape: "faces",
  field: 8,
  hand: 8,
  whole: 1,
  numbered: true,
  lines: 0,
  ...changes,
});
const plotOf = (width: number, height: number, others = 1): Plot => {
  const { plan } = plotted({ width, height: height - 44, rem: 16 }, others);
  return plotted({ width, height: height - BARS[plan], rem: 16 }, others);
};

describe("a table", () => {
  it("is upright, a tablet's, low or wide", () => {
    const plans = Object.values(WINDOWS).map(([width, height]) => plotOf(width, height).plan);
    expect(plans).toEqual(["upright", "upright", "low", "tablet", "wide", "wide"]);
    expect(plotOf(360, 640).plan).toBe("upright");
    expect(plotOf(1180, 820).plan).toBe("wide");
    expect(plotOf(640, 470).plan).toBe("low");
  });

  it("has rows for many others, each as wide as a touch target", () => {
    expect([1, 3, 6, 7, 14, 15].map((others) => plotOf(360, 740, others).columns)).toEqual([1, 3, 6, 7, 7, 5]);
    expect([1, 3, 6, 15].map((others) => plotOf(740, 360, others).columns)).toEqual([1, 1, 3, 0]);
    expect([1, 3, 6, 15].map((others) => plotOf(1280, 800, others).columns)).toEqual([1, 1, 2, 4]);
  });
});

const LYING = [
  [4, 4],
  [6, 5],
  [8, 8],
  [9, 6],
  [10, 6],
  [12, 5],
  [16, 4],
] as const;
/** The widths of a card of the field and of one of the hand, for each number of them, plain and with numbers above. */
const WIDTHS: Record<string, [string, string]> = {
  "360x740": ["95/82 90/90 67/67 68/64 68/64 67/67 52/82", "82/82 79/79 56/56 64/84 64/84 56/56 52/67"],
  "390x844": ["123/89 113/108 83/83 83/83 83/83 83/83 57/89", "106/89 100/100 72/72 70/91 70/91 72/72 57/89"],
  "740x360": ["86/86 86/86 64/102 56/115 56/56 56/56 56/56", "75/75 75/75 64/85 56/93 50/99 45/48 45/48"],
  "820x1180": [
    "184/184 152/152 155/146 148/160 148/160 122/184 112/112",
    "184/184 141/141 141/141 141/141 141/141 122/180 102/102",
  ],
  "1280x800": [
    "184/184 159/184 123/117 121/121 121/121 121/121 117/130",
    "174/174 159/184 117/117 110/110 110/110 110/110 110/110",
  ],
  "1920x1080": [
    "190/190 190/190 184/184 178/178 178/178 178/178 178/178",
    "190/190 190/190 184/184 163/190 167/167 167/167 167/167",
  ],
};

/** Whether cards are as wide as they have to be, to 2 pixels. */
function close(found: Sizes, widths: string | undefined, label: string): void {
  const [field = Infinity, hand = Infinity] = (widths ?? "").split("/").map(Number);
  expect(found.field, label).toBeGreaterThanOrEqual(field - 2);
  expect(found.hand, label).toBeGreaterThanOrEqual(hand - 2);
}

describe("cards", () => {
  const sizes = (window: string, changes: Partial<Need>, more = 0): Sizes => {
    const [width = 0, height = 0, strips = 0] = WINDOWS[window] ?? [];
    const asked = need(changes);
    const plot = plotOf(width, height);
    return fitted(spaced({ width, height: height - BARS[plot.plan], rem: 16 }, plot, strips + more, asked), asked);
  };

  for (const [window, rows] of Object.entries(WIDTHS))
    it(`are as wide as they can be in ${window}`, () => {
      rows.forEach((row, numbered) =>
        row.split(" ").forEach((widths, at) => {
          const [field, hand] = LYING[at] ?? [0, 0];
          const found = sizes(window, { field, hand, numbered: numbered > 0 });
          const label = `${field} and ${hand} cards${numbered ? ", numbered" : ""}: ${found.field} and ${found.hand}`;
          close(found, widths, label);
          expect(found.step, label).toBeGreaterThanOrEqual(44);
        }),
      );
    });

  it("of the other shapes are as wide as they can be, too", () => {
    const tenshu = ["64/84", "70/94", "56/93", "134/132", "110/110", "163/190"];
    const single = ["140/84", "152/91", "75/75", "220/190", "189/159", "220/220"];
    const bank = [83, 104, 86, 146, 159, 220];
    Object.keys(WINDOWS).forEach((window, at) => {
      const chips = window === "360x740" || window === "390x844" ? 44 : window === "820x1180" ? 36.8 : 0;
      const ring = sizes(window, { shape: "ring", field: 9, hand: 5, whole: 2 }, chips);
      close(ring, tenshu[at], window);
      const pile = sizes(window, { shape: "pile", field: 0, hand: 6 });
      close(pile, single[at], window);
      const cloth = sizes(window, { shape: "bank", field: 0, hand: 6, numbered: false }, chips ? 36 : 0);
      expect(cloth.hand, window).toBeGreaterThanOrEqual((bank[at] ?? 0) - 2);
    });
  });

  it("fit if the smallest size fits", () => {
    for (const window of Object.keys(WINDOWS))
      for (const shape of ["faces", "ring", "pile", "bank"])
        for (const field of [0, 8, 11, 14])
          for (const hand of [0, 1, 5, 8, 10]) {
            const asked = need({ shape, field, hand });
            const [width = 0, height = 0, strips = 0] = WINDOWS[window] ?? [];
            const { plan } = plotOf(width, height);
            const found = sizes(window, asked);
            const cell = (card: number): number => (card * 51) / 31 + NUMBER + GAP[plan];
            const high = found.rows * cell(found.field) + found.hands * cell(found.hand);
            const label = `${window} ${shape} ${field} ${hand}`;
            if (found.fits) expect(high, label).toBeLessThanOrEqual(height - BARS[plan] - strips);
            else
              expect(
                [found.field, found.hand].some((card) => card <= 56),
                label,
              ).toBe(true);
            const gridded = shape === "faces" || shape === "ring";
            expect(found.columns * found.rows, label).toBeGreaterThanOrEqual(gridded ? field : 0);
            if (gridded) expect(found.columns * found.field, label).toBeLessThanOrEqual(width);
            if (found.hands) expect(found.hand + (found.across - 1) * found.step, label).toBeLessThanOrEqual(width);
          }
  });

  it("of a field leave a hand its least width", () => {
    const phone = { width: 360, height: 596, rem: 16 };
    for (const [field, hand] of [
      [8, 8],
      [8, 10],
      [10, 9],
    ] as const) {
      const asked = need({ shape: "ring", field, hand });
      const found = fitted(spaced(phone, plotOf(360, 640), 172, asked), asked);
      expect([found.field, found.rows, found.hand, found.hands], `${field} and ${hand}`).toEqual([44, 2, 56, 2]);
    }
  });

  it("are larger in a larger window, and never larger than they are drawn for", () => {
    expect(sizes("1280x800", {}).field).toBeLessThan(sizes("1920x1080", {}).field);
    expect(sizes("1920x1080", { field: 4, hand: 4 }).field).toBeCloseTo(190, 1);
  });

  it("leave room beside rows of their own, and else below them, for a row that is laid aside", () => {
    const width = (height: number, changes: Partial<Need>): number => {
      const asked = need({ hand: 0, ...changes });
      return fitted(spaced({ width: 360, height, rem: 16 }, plotOf(360, height), 250, asked), asked).field;
    };
    const rows = { shape: "rows", field: 9, lines: 3 };
    expect(width(700, { ...rows, aside: true })).toBe(width(700, rows));
    expect(3 * width(1000, { ...rows, aside: true }) + 80 + 3 * 12).toBeLessThan(360);
    const ring = { shape: "ring", field: 8 };
    expect(width(700, { ...ring, aside: true })).toBe(width(700 - 104, ring));
  });

  it("of a hand that is not dealt take no room", () => {
    const none = sizes("360x740", { hand: 0 });
    expect(none.hands).toBe(0);
    expect(none.field).toBeGreaterThan(sizes("360x740", {}).field);
  });

  it("shrink at once, and grow by a good deal when the viewer is asked", () => {
    const widths: Record<number, number> = { 8: 100, 9: 90, 10: 70, 11: 60 };
    const settle = (before: number, now: number, asked: boolean): number =>
      settled({ field: before, hand: 4 }, { field: now, hand: 4 }, asked, ({ field }) => ({ field: widths[field] ?? 0, hand: 50 }))
        .field;
    expect(settle(8, 10, false)).toBe(10);
    expect(settle(10, 8, false)).toBe(10);
    expect(settle(10, 8, true)).toBe(8);
    expect(settle(9, 8, true)).toBe(9);
  });
});
