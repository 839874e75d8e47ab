// What people say across the table, and who is not heard here.

import { choose, settings } from "../lib/settings.svelte";
import type { Text } from "../wire";

/** Something that somebody has said: one of the catalogue's stamps or phrases. */
export interface Said {
  seat: number;
  id: string;
}

const MOST = 60; // tables and seats that are remembered as not heard

/** What an event says that somebody has said; null for any other. */
export function saidBy(event: { kind: string; seat: number | null; text: Text }): Said | null {
  const said = event.text.args?.["said"];
  const told = event.kind === "say" && event.seat !== null && typeof said === "object" && "id" in said;
  return told ? { seat: event.seat as number, id: String(said.id) } : null;
}

const key = (table: string, seat: number | null): string => (seat === null ? table : `${table}:${seat}`);
const muted = (): string[] => settings.muted.split(" ").filter(Boolean);

/** Whether a seat is heard at a table; without one, whether anybody is. */
export const isHeard = (table: string, seat: number | null): boolean =>
  !muted().includes(table) && !muted().includes(key(table, seat));

/** Hear a seat at a table, or everybody there, or do not. */
export function hear(table: string, seat: number | null, heard: boolean): void {
  const others = muted().filter((each) => each !== key(table, seat));
  choose("muted", [...others, ...(heard ? [] : [key(table, seat)])].slice(-MOST).join(" "));
}
