// The shortest way to a table: make it, sit down, and hand it to its screen, which then has nothing to ask for.

import { note } from "../table/fair";
import type { AskTable, GameInfo, Table } from "../wire";
import { catalogue, game, makeTable, rematch, sit, Unreachable } from "./api";
import { wanted } from "./language.svelte";
import { companions } from "./opponents";
import { go, here } from "./route.svelte";
import { renew } from "./stream";

let handed: Table | null = null;

/** A table that has just been made or entered; once. */
export function takeHanded(id: string): Table | null {
  const table = handed?.id === id ? handed : null;
  handed = null;
  return table;
}

function random(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Sit down, in the first free seat if none is named. The deals are committed to before, in the table as it was seen. */
export async function sitDown(seen: Table, seat: number | null = null): Promise<Table> {
  const mine = random(8); // goes into every shuffle, so that nobody arranges a pack alone
  const table = await sit(seen.id, mine, seat);
  if (table.you !== null && seen.you === null) note(seen.id, seen.head, mine);
  renew();
  return table;
}

let unanswered = ""; // the key of the last request for a table, where no answer came

/** Make a table, and sit down at it. Asked again for the same after no answer, this is the same table: the server knows the key. */
async function make(asked: AskTable, seat: number | null): Promise<Table> {
  const key = unanswered || random(16);
  unanswered = "";
  try {
    return await sitDown(await makeTable(asked, key), seat);
  } catch (error) {
    if (error instanceof Unreachable) unanswered = key;
    throw error;
  }
}

/** Make a table, and sit down at it as with `join`. */
export function open(asked: AskTable, seat: number | null = null): Promise<void> {
  // What the screen needs comes meanwhile. Where it fails, the screen asks again.
  void Promise.allSettled([import("../screens/Table.svelte"), game(asked.game), catalogue(asked.game, wanted())]);
  return arrive(() => make(asked, seat));
}

/** Make a table of a game for oneself and its characters, and sit down there. */
export const dealt = (game: GameInfo, asks: Partial<AskTable> = {}): Promise<void> =>
  open({ ...asks, game: game.id, seats: ["person", ...companions(game, game.seats[0] ?? 2)] as NonNullable<AskTable["seats"]> });

/** Sit down at a table and go to its screen. Whoever has gone elsewhere meanwhile is not called back from there. */
export function join(seen: Table): Promise<void> {
  return arrive(() => sitDown(seen));
}

/** Go on with the same people after a match: to the table that the first of them has made, or makes by this. */
export function playAgain(seen: Table): Promise<void> {
  return arrive(async () => {
    const next = await rematch(seen.id);
    return next.you === null && next.head.state === "open" ? sitDown(next) : next;
  });
}

async function arrive(sitting: () => Promise<Table>): Promise<void> {
  const { path } = here();
  const table = await sitting();
  if (here().path !== path) return;
  handed = table;
  go(`/t/${table.id}`);
}
