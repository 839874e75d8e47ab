// Which version of what travels this page speaks, and whether it must be loaded again. A page that was opened before the server was
// renewed may speak an older one, and no longer finds its parts.

export const API = { "mekuri-api": "2" }; // the header that says so, of every request; docs/versions.md says what raises it

let reason = $state<"notice.outdated" | "notice.unloaded" | null>(null);

/** Why the page must be loaded again, in a word; null where it need not be. */
export function stale(): typeof reason {
  return reason;
}

/** Note what an answer's status says of that: whether the server has said that it understands this page no more, or not yet. */
export function heed(status: number): void {
  if (status === 426) reason = "notice.outdated";
}

/** Note that a part of the page or its words did not come. Asked for again, a part may come without its styles: Vite asks for them once. */
export function unloaded(): void {
  reason ??= "notice.unloaded";
}
