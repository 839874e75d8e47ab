// What is new on a table: what was played or captured last.

import type { Event } from "../wire";

/** The cards that were played or captured last, and by whom. */
export interface Fresh {
  seat: number | null;
  cards: ReadonlySet<string>;
}

export const NOTHING_FRESH: Fresh = { seat: null, cards: new Set() };
const DRIVER = 16;

/** What is new after an event. What a seat has done stays new until another seat does something. */
export function freshAfter(fresh: Fresh, event: Pick<Event, "kind" | "seat" | "text"> | null | undefined): Fresh {
  if (!event) return fresh;
  if (event.kind !== "play") return event.kind === "round" ? NOTHING_FRESH : fresh;
  const { card, cards } = event.text.args ?? {};
  const told = [...(typeof card === "string" ? [card] : []), ...(Array.isArray(cards) ? cards : [])];
  const same = event.seat === DRIVER || event.seat === fresh.seat;
  const seat = event.seat === DRIVER ? fresh.seat : event.seat;
  return { seat, cards: new Set(same ? [...fresh.cards, ...told] : told) };
}
