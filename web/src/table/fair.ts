// Whether the server kept its commitment: docs/fair.md. The secret of each round hashes to the one before it, and the first to
// the commitment that was published before the players sat down. `mekuri verify` derives the packs from them.

import type { Head } from "../wire";

/**
 * `unopened`: no round is over. `checked`: the secrets lead back to what was noted. `broken`: they do not. `late`: the page came
 * when they were open already, and has noted nothing before. `unable`: this browser gives no hashes over a line that is not secure.
 */
export type Deal = "unopened" | "checked" | "broken" | "late" | "unable";

/** The record of a table in the browser, for all its tabs: a person may sit down in one and watch in another. */
interface Noted {
  commitment: string; // the commitment when the browser first saw the table
  opened: boolean; // whether it was an opened secret by then
  cut?: string; // the cut of this browser
}

type Shelf = Pick<Storage, "getItem" | "setItem">;
type Digest = (bytes: BufferSource) => Promise<ArrayBuffer>;

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

/** Return the noted commitment. */
export function commitment(table: string, shelf?: Shelf): string | null {
  return all(shelf)[table]?.commitment ?? null;
}

/** Return a SHA-256 function; null on an insecure connection, where browsers have none. */
function browserDigest(): Digest | null {
  return globalThis.crypto.subtle ? (bytes) => crypto.subtle.digest("SHA-256", bytes) : null;
}

/** Compare a head's commitment with the note. */
export async function check(
  table: string,
  head: Head,
  you: number | null,
  shelf?: Shelf,
  digest: Digest | null = browserDigest(),
): Promise<Deal> {
  const before = all(shelf)[table];
  if (!before) return "late";
  if (before.cut !== undefined && you !== null && head.cuts.length && head.cuts[you] !== before.cut) return "broken";
  if (head.secret === null) return head.commitment === before.commitment ? "unopened" : "broken";
  if (before.opened && head.secret === before.commitment) return "late";
  if (!digest) return "unable";
  let secret = head.secret;
  for (let round = 0; round < head.round; round++) {
    secret = await hash(secret, digest);
    if (secret === before.commitment) return "checked";
  }
  return "broken";
}

/** Return the SHA-256, in hex, of bytes in hex. */
async function hash(hex: string, digest: Digest): Promise<string> {
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return Array.from(new Uint8Array(await digest(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
