// Which version of what travels this page speaks. A page that was opened before the server was renewed may speak an older one.

export const API = { "mekuri-api": "2" }; // the header that says so, of every request; docs/versions.md says what raises it

let old = $state(false);

/** Whether the server has said that it understands this page no more, or not yet. */
export function outdated(): boolean {
  return old;
}

/** Note what an answer's status says of that. */
export function heed(status: number): void {
  if (status === 426) old = true;
}
