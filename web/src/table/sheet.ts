// Scores and amounts. All values come from the view alone.

import type { View } from "../wire";

/** Return an amount in stones, white ones of 10 and black ones of 1: as many black ones as it needs, and ten more for change. */
export function stones(amount: number): { white: number; black: number } {
  const black = (amount % 10) + (amount < 10 ? 0 : 10);
  return { white: (amount - black) / 10, black };
}

/** Return the sum of the lines of a seat, or of an account of no seat. */
export function running(view: Pick<View, "score">, seat: number | string): number {
  return view.score.filter((line) => line.seat === seat).reduce((sum, line) => sum + line.points, 0);
}

/** Return a seat's score: the count of the round if the game has one, else the score of the match with the payments so far. */
export function scored(view: Pick<View, "scores" | "ledger" | "score" | "over">, seat: number): number {
  if (view.scores?.some((each) => each !== null)) return view.scores[seat]?.points ?? 0;
  return (Object.values(view.ledger[seat] ?? {})[0] ?? 0) + (view.over ? 0 : running(view, seat)); // then it is in the ledger
}

/** Format a gain or a loss, with its sign. */
export function signed(value: number): string {
  return value > 0 ? `+${value}` : plain(value);
}

/** Format an amount. */
export function plain(value: number): string {
  return value < 0 ? `−${-value}` : `${value}`;
}
