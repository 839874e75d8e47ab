// Until when a table waits that is played turn by turn, in words.

import type { Table } from "../wire";
import { language } from "./language.svelte";

const NEAR = 6 * 86_400_000; // milliseconds within which a weekday says enough

/** A time, in milliseconds since 1970, as a weekday and an hour; with the date where it is further away. */
export function when(at: number, now = Date.now()): string {
  const date: Intl.DateTimeFormatOptions = at - now < NEAR ? { weekday: "long" } : { month: "long", day: "numeric" };
  return new Intl.DateTimeFormat(language() || "en", { ...date, hour: "2-digit", minute: "2-digit" }).format(at);
}

/** The tables that wait for the person, the most urgent first. */
export function waiting(tables: readonly Table[]): Table[] {
  const until = (table: Table): number => table.owed?.until ?? 0;
  return tables.filter((table) => table.owed).toSorted((one, other) => until(one) - until(other));
}
