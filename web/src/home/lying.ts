// The cards on a table, as a few rows for a picture of it.

import { say } from "../lib/language.svelte";
import type { View, Zone } from "../wire";

export type Row = { name: string; cards: string[]; kind: "middle" | "hand" | "captured" };

const MOST = 12; // cards in a row
const FEW = 3; // with fewer cards in the middle, the hand is shown as well

const seen = (zones: readonly Zone[]): string[] => zones.flatMap(({ cards }) => cards.filter((card) => card !== null));

/** Return the cards in the middle, then the player's hand if `hand` is set or few cards lie there, then the player's captures. */
export function lying(view: View, whole = false): Row[] {
  const of = (...kinds: Zone["kind"][]): Zone[] => view.zones.filter(({ kind }) => kinds.includes(kind));
  const own = (zone: Zone): boolean => zone.owner !== null && zone.owner === view.you;
  const field = seen(of("field"));
  const middle = field.length ? field : of("pile", "board").flatMap((zone) => seen([zone]).slice(-1));
  const rows: Row[] = [{ name: say("home.on-table"), cards: middle.slice(0, MOST), kind: "middle" }];
  const hand = seen(of("hand").filter(own));
  if (hand.length && (whole || middle.length < FEW))
    rows.push({ name: say("home.in-hand"), cards: hand.slice(0, MOST), kind: "hand" });
  if (whole) rows.push({ name: say("home.captured"), cards: seen(of("captured").filter(own)), kind: "captured" });
  return rows;
}
