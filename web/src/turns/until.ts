// Deadlines of tables with days a move, in words.

import { language, say } from "../lib/language.svelte";
import { now as time } from "../lib/time";
import type { Voice } from "../lib/voice";
import type { Table, View } from "../wire";

const NEAR = 6 * 86_400_000; // milliseconds within which a weekday is clear

/** Return a time, in ms since the epoch, as a weekday and an hour; with the date in place of the weekday if it is further away. */
export function when(at: number, now = time()): string {
  const day: Intl.DateTimeFormatOptions = at - now < NEAR ? { weekday: "long" } : { month: "long", day: "numeric" };
  const hour: Intl.DateTimeFormatOptions = { hour: "numeric", minute: "2-digit" };
  // Formatted separately, since the combined form has an order that does not fit into a sentence.
  return [day, hour].map((part) => new Intl.DateTimeFormat(language() || "en", part).format(at)).join(" ");
}

/** Return the deadline of the viewer or of the players who owe a move, what happens then, and that nobody else needs to wait here. */
export function clock(table: Table, view: View, voice: Voice): string {
  const { head, you } = table;
  const people = view.waiting.filter((seat) => head.seats[seat]?.kind === "person" && !head.seats[seat].bot);
  if (!people.length || view.due == null) return "";
  const late = table.term?.late ?? "bot";
  const until = { when: when(view.due) };
  if (you !== null && people.includes(you)) return say(`table.until-${late}`, until);
  const names = people.map((seat) => voice.player(seat)).join(voice.entry("numbers", "joint"));
  const they = say(`table.until-they-${late}`, { names, n: people.length, ...until });
  return you === null ? they : [they, say("table.may-go")].join(say("board.sentence"));
}
