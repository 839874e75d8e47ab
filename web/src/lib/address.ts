// Addresses, read and written.

import type { Table } from "../wire";

/** A part of an address as it is meant; as it stands, where somebody has written what means nothing. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** An address as everybody can reach it: under the one that people see the server by, where it is known under another here. */
export const seenAs = (address: string, publicUrl: string | null | undefined): string =>
  publicUrl ? publicUrl + address.slice(new URL(address).origin.length) : address;

/** Where a clause of a game's rule book stands. */
export const clauseAddress = (game: string, clause: string): string => `/rules/${game}#${clause}`;

/** The rule book of a table's game, with the table's options. */
export const rulesOf = ({ game, options, match_options }: Pick<Table, "game" | "options" | "match_options">): string => {
  const search = `${new URLSearchParams({ ...options, ...match_options })}`;
  return `/rules/${game}${search && `?${search}`}`;
};
