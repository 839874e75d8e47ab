// What stands on a score sheet, put in order. What is counted, and why, comes from the view alone.

import type { Line, View } from "../wire";

/** A seat's part of the sheet. */
export interface SeatPart {
  seat: number;
  lines: Line[];
  total: number | null; // what the finished round changes for the seat; null while it is played
}

/** The sheet seat by seat. Of a finished round every seat is on it, also one without lines. */
export function seatParts(view: View): SeatPart[] {
  const returns = view.returns ?? [];
  const seats = new Set([...returns.keys(), ...view.score.map((line) => line.seat)]);
  return [...seats]
    .sort((one, other) => one - other)
    .map((seat) => ({ seat, lines: view.score.filter((line) => line.seat === seat), total: returns[seat] ?? null }));
}

export interface Payment {
  seat: number;
  amount: number; // always more than 0
}

/** Who gives and who gets, when a round is settled. Seats for which nothing changes are in neither list. */
export function payments(returns: readonly number[]): { givers: Payment[]; getters: Payment[] } {
  const changed = returns.map((change, seat) => ({ seat, change })).filter(({ change }) => change !== 0);
  const part = (sign: number): Payment[] =>
    changed.filter(({ change }) => change * sign > 0).map(({ seat, change }) => ({ seat, amount: change * sign }));
  return { givers: part(-1), getters: part(1) };
}

/** An amount in as few stones as can be, the greatest first, so that a hundred need not be drawn one by one. */
export function stones(amount: number): number[] {
  const found: number[] = [];
  for (const worth of [1000, 100, 10, 1]) {
    found.push(...Array<number>(Math.floor(amount / worth)).fill(worth));
    amount %= worth;
  }
  return found;
}

/** What each seat's lines count together so far. */
export function running(view: Pick<View, "score">, seat: number): number {
  return view.score.filter((line) => line.seat === seat).reduce((sum, line) => sum + line.points, 0);
}

/** A number with its sign. */
export function signed(value: number): string {
  return value < 0 ? `−${-value}` : value > 0 ? `+${value}` : "0";
}

/** The names of the accounts in a ledger, in the order in which they come. */
export function accounts(ledger: View["ledger"]): string[] {
  return [...new Set(ledger.flatMap((account) => Object.keys(account)))];
}
