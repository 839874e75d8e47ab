// The coordinates of a round's expected results in a drawing.

import type { Review } from "../wire";

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export interface Point {
  x: number;
  y: number;
  least: number; // the ends of the interval, as y
  most: number;
  label: string;
  number: number; // of the decision; 0 for the actual result
}

/** Return the points of a review within a box, and the values of the grid lines, each with its y. */
export function plotted(review: Review, { left, right, top, bottom }: Box): { points: Point[]; marks: [number, number][] } {
  const end = { mean: review.result, least: review.result, most: review.result };
  const values = [
    ...review.moments.map(({ number, value, label }) => ({ ...value, label, number })),
    { ...end, label: "fine", number: 0 },
  ];
  const low = Math.min(0, ...values.map(({ least }) => least));
  const high = Math.max(0, ...values.map(({ most }) => most));
  const y = (value: number): number => top + ((bottom - top) * (high - value)) / (high - low || 1);
  const step = (right - left) / Math.max(1, values.length - 1);
  const points = values.map(({ mean, least, most, label, number }, place) => ({
    x: left + step * place,
    y: y(mean),
    least: y(least),
    most: y(most),
    label,
    number,
  }));
  return { points, marks: [...new Set([0, low, high])].map((value) => [value, y(value)]) };
}

/** Return the size of a decision's point, by its grade. */
export const radius = (label: string): number => ({ fine: 3, mistake: 5, blunder: 7 })[label] ?? 3;
