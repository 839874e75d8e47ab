// The score of all seats in the account that matters most now, from the view alone.

import type { View } from "../wire";
import { scored } from "./sheet";
import { speaks } from "./sides";

/** With more seats than these, a phone has no room for all names and scores in one line: the others' scores stand with their names. */
export const CROWD = 4;

interface Standing {
  seat: number;
  score: number;
  from: number | null; // the target, if it differs between seats
}

export interface Standings {
  seats: Standing[]; // the viewer's first, then in turn order
  from: number | null; // the target, if it is the same for all
  counts: boolean; // whether it is the count of the round
  unit: string | null; // the account, if the round has no count
}

/** Return the count of the round if the game has one, else the scores of the match with its payments so far. */
export function standings(view: Pick<View, "you" | "scores" | "ledger" | "score" | "over" | "sides">): Standings {
  const counted = view.scores ?? [];
  const counts = counted.some((each) => each !== null);
  const unit = counts ? null : (Object.keys(view.ledger.find((account) => Object.keys(account).length) ?? {})[0] ?? null);
  const all = new Set(counted.map((each) => each?.wins_from ?? null).filter((from) => from !== null)); // a player who is out has none
  const same = all.size === 1 ? ([...all][0] ?? null) : null;
  const seats = view.ledger.map((_, seat) => ({
    seat,
    score: scored(view, seat),
    from: same === null ? (counted[seat]?.wins_from ?? null) : null,
  }));
  const first = view.you ?? 0;
  const inTurn = [...seats.slice(first), ...seats.slice(0, first)];
  return { seats: inTurn.filter(({ seat }) => speaks(view, seat)), from: same, counts, unit };
}
