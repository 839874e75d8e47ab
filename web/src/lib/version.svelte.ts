// The version of the wire that this page speaks, and whether it must be reloaded. A page that was opened before an upgrade of the server
// may speak an older one, and its parts may be gone.

export const API = { "mekuri-api": "2" }; // the header of every request with the version; docs/versions.md says what raises it

let reason = $state<"notice.outdated" | "notice.unloaded" | null>(null);

/** Why the page must be reloaded, in a word; null if it need not be. */
export function stale(): typeof reason {
  return reason;
}

/** Note the status of a response: whether the server no longer understands this page, or does not understand it yet. */
export function heed(status: number): void {
  if (status === 426) reason = "notice.outdated";
}

/** Note that a part of the page or its texts failed to load. A retry may load a part without its styles, because Vite requests them once. */
export function unloaded(): void {
  reason ??= "notice.unloaded";
}
