// Addresses, read and written.

/** A part of an address as it is meant; as it stands, where somebody has written what means nothing. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Where a clause of a game's rule book stands. */
export const clauseAddress = (game: string, clause: string): string => `/rules/${game}#${clause}`;
