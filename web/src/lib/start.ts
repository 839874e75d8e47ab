// The shortest way to a table: make it, sit down, and pass it to its screen, which then has nothing to load.

import { note } from "../table/fair";
import type { AskTable, GameInfo, Table } from "../wire";
import { catalogue, game, makeTable, rematch, sit, Unreachable } from "./api";
import { wanted } from "./language.svelte";
import { companions } from "./opponents";
import { go, here } from "./route.svelte";
import { renew } from "./stream";

export let handed: Table | null = null; // that was just made or entered

/** Return the table that was just made or entered; once. */
export function takeHanded(id: string): Table | null {
  const table = handed?.id === id ? handed : null;
  handed = null;
  return table;
}

function random(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Sit down, in the first free seat if none is named. The deals were committed to earlier, as the given table shows. */
export async function sitDown(seen: Table, seat: number | null = null): Promise<Table> {
  const mine = random(8); // part of every shuffle, so that no player arranges a pack alone
  const table = await sit(seen.id, mine, seat);
  if (table.you !== null && seen.you === null) note(seen.id, seen.head, mine);
  renew();
  return table;
}

let unanswered = ""; // the key of the last request for a table that got no answer

/** Make a table and sit down. A retry after no answer sends the same key, so the server makes no second table. */
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

/** Make a table, and sit down like `join`. */
export function open(asked: AskTable, seat: number | null = null): Promise<void> {
  // Preload what the screen needs. If that fails, the screen loads it again.
  void Promise.allSettled([import("../screens/Table.svelte"), game(asked.game), catalogue(asked.game, wanted())]);
  return arrive(() => make(asked, seat));
}

/** Make a table of a game for the player and its characters, and sit down. */
export const dealt = (game: GameInfo, asks: Partial<AskTable> = {}): Promise<void> =>
  open({ ...asks, game: game.id, seats: ["person", ...companions(game, game.seats[0] ?? 2)] as NonNullable<AskTable["seats"]> });

/** Sit down at a table and go to its screen, unless the player has gone elsewhere meanwhile. */
export function join(seen: Table): Promise<void> {
  return arrive(() => sitDown(seen));
}

/** Play another match with the same people: at the table that the first of them has made, or make it. */
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
