// The movement from one view to the next. Visible cards are known by themselves; movement of hidden ones follows from counts.

import type { Event, Zone } from "../wire";
import { playable, zoneKey } from "./layout";

export interface Moves {
  from: Map<string, string>; // newly visible cards, and the zone that each has come from
  to: Map<string, string>; // cards no longer visible, and the zone that each has gone to
  lead: string | null; // the card that captured others where they lay, and so moved there first
  over: string | null; // the first of them
}

type EventText = Pick<Event, "seat" | "text"> | null | undefined;

/** Return the difference of two views' zones. */
export function moves(were: readonly Zone[], are: readonly Zone[], event: EventText): Moves {
  const [before, after] = [playable(were), playable(are)];
  const [old, now] = [whereabouts(before), whereabouts(after)];
  // Equal cards cannot be told apart, so their movement is not known.
  for (const card of [...alike(before), ...alike(after)]) {
    old.delete(card);
    now.delete(card);
  }
  const gained = gains(before, after);
  for (const [card, zone] of now) {
    // A card that both views show is accounted for. The rest are cards that neither view shows.
    if (!old.has(card) || old.get(card) === zone) continue;
    add(gained, zone, -1);
    add(gained, old.get(card) ?? "", 1);
  }
  const from = new Map<string, string>();
  for (const [card, zone] of now) {
    if (old.has(card)) continue;
    const source = loser(before, gained, zone, event);
    if (!source) continue;
    from.set(card, source);
    if (source === zone) continue; // it was turned up where it lies
    add(gained, source, 1);
    add(gained, zone, -1);
  }
  const to = new Map<string, string>();
  for (const [card, zone] of old) {
    if (now.has(card)) continue;
    const goal = [...gained].find(([key, count]) => count > 0 && key !== zone)?.[0];
    if (!goal) continue;
    to.set(card, goal);
    add(gained, goal, -1);
    add(gained, zone, 1);
  }
  return { from, to, ...capture(old, now, event) };
}

/** Return the zone of each visible card. */
export function whereabouts(zones: readonly Zone[]): Map<string, string> {
  return new Map(zones.flatMap((zone) => zone.cards.filter((card) => card !== null).map((card) => [card, zoneKey(zone)] as const)));
}

function alike(zones: readonly Zone[]): string[] {
  const cards = zones.flatMap((zone) => zone.cards).filter((card) => card !== null);
  return cards.filter((card, index) => cards.indexOf(card) < index);
}

function gains(before: readonly Zone[], after: readonly Zone[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const zone of after) add(counts, zoneKey(zone), zone.cards.length);
  for (const zone of before) add(counts, zoneKey(zone), -zone.cards.length);
  return counts;
}

function add(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

/** Return the zone that a newly visible card has come from: the hand of the player who acted, else another that has lost a card. */
function loser(before: readonly Zone[], gained: Map<string, number>, zone: string, event: EventText): string | null {
  const hidden = before.filter((each) => each.cards.includes(null));
  const losing = hidden.filter((each) => (gained.get(zoneKey(each)) ?? 0) < 0);
  const played = losing.find((each) => each.owner !== null && each.owner === event?.seat);
  const drawn = losing.find((each) => each.kind === "stock" || each.kind === "pile");
  const found = played ?? drawn ?? losing[0] ?? hidden.find((each) => zoneKey(each) === zone);
  return found ? zoneKey(found) : null;
}

/** Return the card that went to the same place as its captures, from the event. */
function capture(old: Map<string, string>, now: Map<string, string>, event: EventText): Pick<Moves, "lead" | "over"> {
  const { card, cards } = event?.text.args ?? {};
  const none = { lead: null, over: null };
  if (typeof card !== "string" || !Array.isArray(cards)) return none;
  const goal = now.get(card);
  const over = cards.find((taken) => now.get(taken) === goal && old.has(taken) && old.get(taken) !== goal);
  const came = goal !== undefined && old.get(card) !== goal && over !== undefined && old.get(card) !== old.get(over);
  return came ? { lead: card, over } : none;
}
