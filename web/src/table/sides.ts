// The sides of a game of partners, from the view alone. The viewer, or else the first seat, stands for its side.

import type { View } from "../wire";

export type Sided = Partial<Pick<View, "sides" | "you">>;

/** The marks of the sides, so that a colour is never the only sign. */
export const MARKS = "●▲■◆";

/** Return the seats of a seat's side, with the seat itself. */
export function partners({ sides = [] }: Pick<Sided, "sides">, seat: number): number[] {
  return sides.length ? sides.flatMap((side, other) => (side === sides[seat] ? [other] : [])) : [seat];
}

/** Return the seat that stands for a seat's side. */
export function speaker(view: Sided, seat: number): number {
  const own = partners(view, seat);
  return view.you != null && own.includes(view.you) ? view.you : (own[0] ?? seat);
}

/** Return the names of a seat's side. */
export const named = (view: Pick<Sided, "sides">, seat: number, nameOf: (seat: number) => string, joint: string): string =>
  partners(view, seat).map(nameOf).join(joint);

/** Return whether a seat stands for its side. */
export const speaks = (view: Sided, seat: number): boolean => speaker(view, seat) === seat;
