// How all seats stand in what matters most just now, from the view alone.

import type { View } from "../wire";
import { scored } from "./sheet";

/** Of more seats than these a phone has no room for all names and numbers in one line: those of others stand with them. */
export const CROWD = 4;

interface Standing {
  seat: number;
  score: number;
  from: number | null; // from how much on it wins, where that is not the same for all
}

export interface Standings {
  seats: Standing[]; // the viewer's first, then in playing order
  from: number | null; // from how much on it wins, where that is the same for all
  counts: boolean; // whether that is what is counted up in the round
  unit: string | null; // the account that is told, where nothing is
}

/** What is counted up in the round, where the game does that; else what the seats have in the match, with what it has paid so far. */
export function standings(view: Pick<View, "you" | "scores" | "ledger" | "score" | "over">): Standings {
  const counted = view.scores ?? [];
  const counts = counted.some((each) => each !== null);
  const unit = counts ? null : (Object.keys(view.ledger.find((account) => Object.keys(account).length) ?? {})[0] ?? null);
  const all = new Set(counted.map((each) => each?.wins_from ?? null).filter((from) => from !== null)); // who is out has none
  const same = all.size === 1 ? ([...all][0] ?? null) : null;
  const seats = view.ledger.map((_, seat) => ({
    seat,
    score: scored(view, seat),
    from: same === null ? (counted[seat]?.wins_from ?? null) : null,
  }));
  const first = view.you ?? 0;
  return { seats: [...seats.slice(first), ...seats.slice(0, first)], from: same, counts, unit };
}
