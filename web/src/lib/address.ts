// Reading and writing addresses.

import type { Table } from "../wire";

/** Decode a part of an address; return it unchanged if it is malformed. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Return an address that everyone can reach: under the public address of the server if this page was opened under another one. */
export const seenAs = (address: string, publicUrl: string | null | undefined): string =>
  publicUrl ? publicUrl + address.slice(new URL(address).origin.length) : address;

/** Return the id under which a table's game is played: its entry's, or its own. */
export const playedAs = ({ game, entry }: Pick<Table, "game" | "entry">): string => entry ?? game;

/** Return the address of a clause in a game's rule book. */
export const clauseAddress = (game: string, clause: string): string => `/rules/${game}#${clause}`;

/** Return the address of the rule book of a table's game, with the table's options. */
export const rulesOf = (table: Pick<Table, "game" | "entry" | "options" | "match_options">): string => {
  const search = `${new URLSearchParams({ ...table.options, ...table.match_options })}`;
  return `/rules/${playedAs(table)}${search && `?${search}`}`;
};
