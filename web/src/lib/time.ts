// The server's time. This device's clock may be wrong by hours, so nothing depends on it.

/** The milliseconds by which the server's clock is ahead. */
export let ahead = 0;

/** Return the server's time, in ms since the epoch. */
export const now = (): number => Date.now() + ahead;

/** Note the server's time from a response. */
export function note(answer: Response): void {
  const time = Number(answer.headers.get("mekuri-time"));
  if (time) ahead = time - Date.now();
}
