// The cards on a table that were played or captured last.

import type { Event, Text } from "../wire";

/** The cards that were played or captured last, and the seat that did so. */
export interface Fresh {
  seat: number | null;
  cards: ReadonlySet<string>;
}

export const NOTHING_FRESH: Fresh = { seat: null, cards: new Set() };
const DRIVER = 16;

/** Return the fresh cards after an event. The cards of a seat stay fresh until another seat acts. */
export function freshAfter(fresh: Fresh, event: Pick<Event, "kind" | "seat" | "text"> | null | undefined): Fresh {
  if (!event) return fresh;
  if (event.kind !== "play") return event.kind === "round" ? NOTHING_FRESH : fresh;
  const { card, cards } = event.text.args ?? {};
  const texts = [...(typeof card === "string" ? [card] : []), ...(Array.isArray(cards) ? cards : [])];
  const same = event.seat === DRIVER || event.seat === fresh.seat;
  const seat = event.seat === DRIVER ? fresh.seat : event.seat;
  return { seat, cards: new Set(same ? [...fresh.cards, ...texts] : texts) };
}

/** Return the others' actions since a seat's last turn, with its present one; for viewers without a seat, the last turn. */
export function lately(texts: readonly Text[], you: number | null): readonly Text[] {
  const by = (text: Text | undefined): unknown => text?.args?.["seat"];
  const since = (end: number, among: (text: Text) => boolean): number =>
    texts.slice(0, end).findLastIndex((text) => !among(text)) + 1;
  const seat = by(texts.at(-1));
  const turn = since(texts.length, (text) => by(text) === seat);
  const from = you === null ? turn : since(seat === you ? turn : texts.length, (text) => by(text) !== you);
  return texts.slice(Math.min(from, texts.length - 1));
}
