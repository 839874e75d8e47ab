// Whether the server kept its commitment: docs/fair.md. The secret of each round hashes to the one before it, and the first to
// the commitment that was published before the players sat down. `mekuri verify` derives the packs from them.

import type { Head } from "../wire";
import { noted, type Shelf } from "./fair";

/**
 * `unopened`: no round is over. `checked`: the secrets lead back to what was noted. `broken`: they do not. `late`: the page came
 * when they were open already, and has noted nothing before. `unable`: this browser gives no hashes over a line that is not secure.
 */
export type Deal = "unopened" | "checked" | "broken" | "late" | "unable";

type Digest = (bytes: BufferSource) => Promise<ArrayBuffer>;

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
  const before = noted(table, shelf);
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
