import { expect, test } from "vitest";
import { asked, estimate, figure, meanwhile, taught } from "../src/review/review";
import { broken } from "../src/lib/paper";
import { plotted } from "../src/review/plot";
import type { Event, Moment, Review } from "../src/wire";

const event = (kind: Event["kind"], version: number): Event => ({
  table: "t",
  version,
  kind,
  seat: 0,
  action: null,
  text: { id: "x" },
  head: null,
  view: null,
});

test("gains and losses have a sign, and figures have significant places only", () => {
  expect([0, 1.234, -1.234, 12.34, -12.34].map((value) => figure(value))).toEqual(["0.00", "1.23", "−1.23", "12.3", "−12.3"]);
  expect([0, 0.001, -0.001, 1.5, -1.5].map((value) => figure(value, true))).toEqual(["0.00", "0.00", "0.00", "+1.50", "−1.50"]);
});

test("an estimate has half of its interval, an exact value none", () => {
  expect(estimate({ mean: 2, least: 1, most: 3 }, true)).toBe("+2.00 ± 1.00");
  expect(estimate({ mean: 12.64, least: 9.58, most: 15.7 })).toBe("12.6 ± 3.1");
  expect(estimate({ mean: -2, least: -2, most: -2 })).toBe("−2.00");
});

test("the table of a moment is the view after the seat's last event", () => {
  const events = [event("round", 7), event("play", 8), event("hold", 9), event("play", 10), event("play", 11)];
  expect(asked(events, { seen: 2 })?.version).toBe(10);
  expect(asked(events, { seen: 9 })).toBe(undefined);
});

test("events have their part of the luck, from a tenth on, and the others their sum", () => {
  const events = [event("play", 8), event("hold", 9), event("play", 10), event("play", 11)];
  const luck = { number: 1, facts: [], value: -20, since: 1, until: 3 };
  const account = (more: object) => {
    const { much, rest } = meanwhile(events, { ...luck, ...more });
    return [...much.map(({ event, part }) => [event.version, part]), rest];
  };
  expect(account({ parts: [-1.9, -18.1] })).toEqual([[11, "−18.1"], "−1.9"]);
  expect(account({ parts: [0.01, -20.01] })).toEqual([[11, "−20.0"], ""]);
  expect(account({ value: 11.72, parts: [11.26, 0.46] })).toEqual([[10, "+11.3"], "+0.4"]);
  expect(account({})).toEqual([[10, ""], [11, ""], ""]);
});

test("the most instructive moments stand in their own order", () => {
  const moments = [1, 2, 3].map((number) => ({ number }) as Moment);
  expect(taught({ first: [3, 1], moments }).map(({ number }) => number)).toEqual([3, 1]);
});

test("expected results are plotted from the best to the worst, with the result at the end", () => {
  const value = { mean: 2, least: 1, most: 4 };
  const review = { result: -6, moments: [{ number: 1, value, label: "blunder" }] } as unknown as Review;
  const { points, marks } = plotted(review, { left: 0, right: 100, top: 0, bottom: 100 });
  expect(points.map(({ x, y, label }) => [x, y, label])).toEqual([
    [0, 20, "blunder"],
    [100, 100, "fine"],
  ]);
  expect(marks).toEqual([
    [0, 40],
    [-6, 100],
    [4, 0],
  ]);
});

test("a text wraps between words, or anywhere without words", () => {
  const pen = { measureText: (text: string) => ({ width: text.length }) as TextMetrics };
  expect(broken(pen, "Lost, but well played", 11)).toEqual(["Lost, but", "well played"]);
  expect(broken(pen, "負けたが手筋はよい", 4)).toEqual(["負けたが", "手筋はよ", "い"]);
});
