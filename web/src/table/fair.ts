// Whether the server kept to what it had committed itself to: docs/fair.md. The secret of each round hashes to the one before it,
// and the first to the commitment that stood there before anybody sat down. What packs follow from them `mekuri verify` finds out.

import type { Head } from "../wire";

/**
 * `unopened`: no round is over. `checked`: the secrets lead back to what was noted. `broken`: they do not. `late`: the page came
 * when they were open already, and has noted nothing before. `unable`: this browser gives no hashes over a line that is not secure.
 */
export type Deal = "unopened" | "checked" | "broken" | "late" | "unable";

/** What a browser keeps of a table, for all its tabs: one sits down in one of them, and looks on in another. */
interface Noted {
  commitment: string; // that stood there when the table was first seen
  opened: boolean; // whether it was an opened secret itself by then
  cut?: string; // that this browser has put into the shuffle
}

type Shelf = Pick<Storage, "getItem" | "setItem">;
type Digest = (bytes: BufferSource) => Promise<ArrayBuffer>;

const KEY = "mekuri-fair";
const MOST = 200; // tables that are kept, the newest

function all(shelf?: Shelf): Record<string, Noted> {
  try {
    const told: unknown = JSON.parse((shelf ?? localStorage).getItem(KEY) ?? "{}");
    return typeof told === "object" && told !== null ? (told as Record<string, Noted>) : {};
  } catch {
    return {}; // storage may be forbidden
  }
}

/** Note what the deals of a table are committed to, unless that has been done; and the cut that is about to be given. */
export function note(table: string, head: Head, cut?: string, shelf?: Shelf): void {
  const { [table]: before, ...others } = all(shelf);
  if (before && cut === undefined) return;
  const now: Noted = before ?? { commitment: head.commitment, opened: head.secret !== null };
  const kept = [...Object.entries(others), [table, cut === undefined ? now : { ...now, cut }]].slice(-MOST);
  try {
    (shelf ?? localStorage).setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // Then there is nothing to compare with, and the page says so.
  }
}

/** The commitment that was noted. */
export function commitment(table: string, shelf?: Shelf): string | null {
  return all(shelf)[table]?.commitment ?? null;
}

/** The browser's SHA-256; null over a line that is not secure, where browsers give none. */
function browserDigest(): Digest | null {
  return globalThis.crypto.subtle ? (bytes) => crypto.subtle.digest("SHA-256", bytes) : null;
}

/** Compare what a head says with what was noted. */
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

/** The SHA-256 of bytes that are written in hex, in hex. */
async function hash(hex: string, digest: Digest): Promise<string> {
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return Array.from(new Uint8Array(await digest(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
