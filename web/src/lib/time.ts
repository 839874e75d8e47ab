// The time by the server's clock. What this device's clock says decides nothing: it may be wrong by hours.

/** The milliseconds by which the server's clock is ahead. */
export let ahead = 0;

/** The time by the server's clock, in milliseconds since 1970. */
export const now = (): number => Date.now() + ahead;

/** Note the time that an answer tells. */
export function note(answer: Response): void {
  const told = Number(answer.headers.get("mekuri-time"));
  if (told) ahead = told - Date.now();
}
