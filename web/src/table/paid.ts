// Payments of stones between seats and places in the middle, such as a pot. They follow from two views alone.

import type { View } from "../wire";
import { running } from "./sheet";

const MOST = 6; // stones that move to one place at once

/** Return the moved stones, one by one: payer and receiver, seats by their numbers. Without a payer or a receiver there are none. */
export function paid(before: View, after: View): [from: string, to: string][] {
  if (before.over) return [];
  const [givers, getters] = [-1, 1].map((sign) => changes(before, after).filter(([, change]) => change * sign > 0)) as [
    Change[],
    Change[],
  ];
  return getters.flatMap(([to, gain]) => {
    const many = givers.length ? Math.max(Math.min(gain, MOST), getters.length > 1 ? 1 : Math.min(givers.length, 2 * MOST)) : 0;
    return Array.from({ length: many }, (_, n): [string, string] => [givers[n % givers.length]?.[0] ?? "", to]);
  });
}

type Change = [place: string, change: number];

/** Return the gains of a round at its end; until then those of the score lines. */
function changes(before: View, after: View): Change[] {
  const seats = after.ledger.map((_, seat): Change => {
    const [account] = Object.values(after.brings?.[seat] ?? {});
    const change = after.over ? (account ?? after.returns?.[seat] ?? 0) : running(after, seat) - running(before, seat);
    return [`${seat}`, change];
  });
  const pots = Object.entries(after.middle).map(([place, n]): Change => [place, n - (before.middle[place] ?? 0)]);
  return [...seats, ...pots];
}
