// What stands on a score sheet, put in order. What is counted, and why, comes from the view alone.

import type { Line, View } from "../wire";

/** A part of the sheet: a seat's, or that of an account that is nobody's, such as a kitty. */
export interface SeatPart {
  seat: number | string;
  lines: Line[];
  total: number | null; // what the finished round changes for the seat, in the unit of its game; null while it is played
  brings: [account: string, change: number][]; // the same, account by account
}

/** The sheet seat by seat, and last the accounts that are nobody's. Of a finished round every seat is on it, also one without lines. */
export function seatParts(view: Pick<View, "score" | "returns" | "brings">): SeatPart[] {
  const returns = view.returns ?? [];
  const brings = view.brings ?? [];
  const changed = accounts(brings).filter((name, first) => !first || brings.some((account) => account[name]));
  const seats = new Set<number | string>([...returns.keys(), ...view.score.map((line) => line.seat)]);
  return [...seats]
    .sort((one, other) => order(one) - order(other))
    .map((seat) => ({
      seat,
      lines: view.score.filter((line) => line.seat === seat),
      total: typeof seat === "string" ? running(view, seat) : (brings[seat]?.[changed[0] ?? ""] ?? returns[seat] ?? null),
      brings: typeof seat === "string" ? [] : changed.map((name) => [name, brings[seat]?.[name] ?? 0]),
    }));
}

/** Whether the lines of every seat sum to what the round changes for it. Where they do not, they are compared and not paid. */
export function addsUp(parts: readonly SeatPart[]): boolean {
  return parts.every(({ lines, total }) => lines.reduce((sum, line) => sum + line.points, 0) === total);
}

const order = (seat: number | string): number => (typeof seat === "string" ? Number.MAX_SAFE_INTEGER : seat);

export interface Payment {
  seat: number | string;
  amount: number; // always more than 0
}

/** Who gives and who gets, when a round is settled. Those for whom nothing changes are in neither list. */
export function payments(parts: readonly SeatPart[]): { givers: Payment[]; getters: Payment[] } {
  const changed = parts.map(({ seat, total }) => ({ seat, change: total ?? 0 }));
  const part = (sign: number): Payment[] =>
    changed.filter(({ change }) => change * sign > 0).map(({ seat, change }) => ({ seat, amount: change * sign }));
  return { givers: part(-1), getters: part(1) };
}

/** An amount in stones, white ones of 10 and black ones of 1: as many black ones as the amount needs, and ten more to change with. */
export function stones(amount: number): { white: number; black: number } {
  const black = (amount % 10) + (amount < 10 ? 0 : 10);
  return { white: (amount - black) / 10, black };
}

/** What the lines of a seat, or of an account that is nobody's, count together so far. */
export function running(view: Pick<View, "score">, seat: number | string): number {
  return view.score.filter((line) => line.seat === seat).reduce((sum, line) => sum + line.points, 0);
}

/** How a seat stands: what it has counted up in the round, where the game does that, else what it has in the match with what is paid so far. */
export function scored(view: Pick<View, "scores" | "ledger" | "score" | "over">, seat: number): number {
  if (view.scores?.some((each) => each !== null)) return view.scores[seat]?.points ?? 0;
  return (Object.values(view.ledger[seat] ?? {})[0] ?? 0) + (view.over ? 0 : running(view, seat)); // then it is in the ledger
}

/** A number with its sign: what is won or lost. */
export function signed(value: number): string {
  return value > 0 ? `+${value}` : plain(value);
}

/** A number that says how much there is. */
export function plain(value: number): string {
  return value < 0 ? `−${-value}` : `${value}`;
}

/** The names of the accounts in a ledger, in the order in which they come. */
export function accounts(ledger: View["ledger"]): string[] {
  return [...new Set(ledger.flatMap((account) => Object.keys(account)))];
}
