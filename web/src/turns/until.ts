// Until when a table waits that is played turn by turn, in words.

import { language, say } from "../lib/language.svelte";
import type { Voice } from "../lib/voice";
import type { Table, View } from "../wire";

const NEAR = 6 * 86_400_000; // milliseconds within which a weekday says enough

/** A time, in milliseconds since 1970, as a weekday and an hour; with the date where it is further away. */
export function when(at: number, now = Date.now()): string {
  const day: Intl.DateTimeFormatOptions = at - now < NEAR ? { weekday: "long" } : { month: "long", day: "numeric" };
  return new Date(at).toLocaleString(language() || "en", { ...day, hour: "2-digit", minute: "2-digit" });
}

/** Until when the person, or those who are waited for, may take. */
export function clock(table: Table, view: View, voice: Voice): string {
  const { head, you } = table;
  const people = view.waiting.filter((seat) => head.seats[seat]?.kind === "person" && !head.seats[seat].bot);
  if (!people.length || view.due == null) return "";
  const until = { when: when(view.due) };
  if (you !== null && people.includes(you)) return say("table.until", until);
  const names = people.map((seat) => voice.player(seat));
  return say("table.until-they", { names: names.join(voice.entry("numbers", "joint")), ...until });
}
