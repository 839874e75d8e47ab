// The contents of a score sheet, in order, and its payments. All values and reasons come from the view alone.

import type { Line, View } from "../wire";
import { running } from "./sheet";
import { type Sided, speaks } from "./sides";

/** A part of the sheet: that of a seat, or of an account of no seat, such as a kitty. */
export interface SeatPart {
  seat: number | string;
  lines: Line[];
  total: number | null; // the change by the finished round, in the unit of its game; null during play
  brings: [account: string, change: number][]; // the same, account by account
}

/** Return the sheet side by side, then the accounts of no seat. A finished round has all sides, also those without lines. */
export function seatParts(view: Pick<View, "score" | "returns" | "brings"> & Sided): SeatPart[] {
  const returns = view.returns ?? [];
  const brings = view.brings ?? [];
  const changed = accounts(brings).filter((name, first) => !first || brings.some((account) => account[name]));
  const seats = new Set<number | string>([...returns.keys(), ...view.score.map((line) => line.seat)]);
  return [...seats]
    .filter((seat) => typeof seat === "string" || speaks(view, seat))
    .sort((one, other) => order(one) - order(other))
    .map((seat) => ({
      seat,
      lines: view.score.filter((line) => line.seat === seat),
      total: typeof seat === "string" ? running(view, seat) : (brings[seat]?.[changed[0] ?? ""] ?? returns[seat] ?? null),
      brings: typeof seat === "string" ? [] : changed.map((name) => [name, brings[seat]?.[name] ?? 0]),
    }));
}

/** Return whether the lines of every seat add up to the change by the round. If not, they are compared and not paid. */
export function addsUp(parts: readonly SeatPart[]): boolean {
  return parts.every(({ lines, total }) => lines.reduce((sum, line) => sum + line.points, 0) === total);
}

const order = (seat: number | string): number => (typeof seat === "string" ? Number.MAX_SAFE_INTEGER : seat);

export interface Payment {
  seat: number | string;
  amount: number; // always more than 0
}

/** Return the payers and receivers of a settlement. Seats without a change are in neither list. */
export function payments(parts: readonly SeatPart[]): { givers: Payment[]; getters: Payment[] } {
  const changed = parts.map(({ seat, total }) => ({ seat, change: total ?? 0 }));
  const part = (sign: number): Payment[] =>
    changed.filter(({ change }) => change * sign > 0).map(({ seat, change }) => ({ seat, amount: change * sign }));
  return { givers: part(-1), getters: part(1) };
}

/** Return the names of the accounts in a ledger, in order. */
export function accounts(ledger: View["ledger"]): string[] {
  return [...new Set(ledger.flatMap((account) => Object.keys(account)))];
}
