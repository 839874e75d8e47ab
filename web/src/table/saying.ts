// Phrases of people across the table, and muting.

import { choose, settings } from "../lib/settings.svelte";
import type { Text } from "../wire";

/** A phrase that a person has said: one of the catalogue's stamps or phrases. */
export interface Said {
  seat: number;
  id: string;
}

const MOST = 60; // muted tables and seats that are remembered

/** Return the phrase of an event; null for an event without one. */
export function saidBy(event: { kind: string; seat: number | null; text: Text }): Said | null {
  const said = event.text.args?.["said"];
  const spoken = event.kind === "say" && event.seat !== null && typeof said === "object" && "id" in said;
  return spoken ? { seat: event.seat as number, id: String(said.id) } : null;
}

const key = (table: string, seat: number | null): string => (seat === null ? table : `${table}:${seat}`);
const muted = (): string[] => settings.muted.split(" ").filter(Boolean);

/** Return whether a seat at a table is unmuted; without a seat, whether the table is. */
export const isHeard = (table: string, seat: number | null): boolean =>
  !muted().includes(table) && !muted().includes(key(table, seat));

/** Mute or unmute a seat at a table, or the whole table. */
export function hear(table: string, seat: number | null, heard: boolean): void {
  const others = muted().filter((each) => each !== key(table, seat));
  choose("muted", [...others, ...(heard ? [] : [key(table, seat)])].slice(-MOST).join(" "));
}
