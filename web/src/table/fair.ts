// The commitments that this browser has seen, for the check at the end of a round: docs/fair.md.

import type { Head } from "../wire";

/** The record of a table in the browser, for all its tabs: a person may sit down in one and watch in another. */
export interface Noted {
  commitment: string; // the commitment when the browser first saw the table
  opened: boolean; // whether it was an opened secret by then
  cut?: string; // the cut of this browser
}

export type Shelf = Pick<Storage, "getItem" | "setItem">;

const KEY = "mekuri-fair";
const MOST = 200; // tables that are kept, newest first

function all(shelf?: Shelf): Record<string, Noted> {
  try {
    const stored: unknown = JSON.parse((shelf ?? localStorage).getItem(KEY) ?? "{}");
    return typeof stored === "object" && stored !== null ? (stored as Record<string, Noted>) : {};
  } catch {
    return {}; // the browser may forbid storage
  }
}

/** Note the commitment of a table's deals, unless it is noted already, and the cut that is about to be sent. */
export function note(table: string, head: Head, cut?: string, shelf?: Shelf): void {
  const { [table]: before, ...others } = all(shelf);
  if (before && cut === undefined) return;
  const now: Noted = before ?? { commitment: head.commitment, opened: head.secret !== null };
  const kept = [...Object.entries(others), [table, cut === undefined ? now : { ...now, cut }]].slice(-MOST);
  try {
    (shelf ?? localStorage).setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // Without a note there is nothing to compare, and the page says so.
  }
}

/** Return what is noted of a table; undefined if nothing is. */
export const noted = (table: string, shelf?: Shelf): Noted | undefined => all(shelf)[table];
