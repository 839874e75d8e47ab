// The layout of the table, from its zones alone: the order of the seats, the common zones, and cards in rows.

import type { View, Zone } from "../wire";

const CARD = /^(\d+[HIOK]|G)$/;

/** Return whether an action is a card, and not a word. */
export const isCard = (action: string): boolean => CARD.test(action);

/** Return the sort key of a card in a hand: its number, then its suit. Hidden cards come last. */
export const rank = (card: string | null): number =>
  card ? 4 * (parseInt(card) || 99) + "HIOK".indexOf(card.slice(-1)) : Infinity;

/** Return the key of a zone, unique on its table. */
export const zoneKey = (zone: Zone): string => `${zone.id}/${zone.owner ?? ""}`;

/** Return the seats other than the viewer's, from left to right: the next player on the right, and a bank before all others. */
export function opposite(view: Pick<View, "shape" | "you" | "dealer">, seats: number): number[] {
  if (view.shape !== "bank") return range(seats - 1).map((step) => ((view.you ?? 0) + seats - 1 - step) % seats);
  const rest = range(seats).filter((seat) => seat !== view.you && seat !== view.dealer);
  return view.you === view.dealer ? rest : [view.dealer, ...rest];
}

/** Return the common zones: the main ones, and those beside them. */
export function commons(zones: readonly Zone[]): { middle: Zone[]; beside: Zone[] } {
  const common = zones.filter((zone) => zone.owner === null);
  const central = (zone: Zone): boolean => zone.layout !== "stack" || zone.kind === "pile";
  return { middle: common.filter(central), beside: common.filter((zone) => !central(zone)) };
}

/** Return the legal cards that lie in no visible zone: all legal ones if one of them cannot be pressed where it lies. */
export function offered(view: Pick<View, "zones" | "you">, legal: readonly { action: string }[]): string[] {
  const near = playable(view.zones).filter(({ owner }) => owner === null || owner === view.you); // other seats' cards are too small
  const seen = new Set(near.flatMap((zone) => (zone.layout === "stack" ? zone.cards.slice(-1) : zone.cards)));
  const cards = legal.map((option) => option.action).filter(isCard);
  return cards.every((card) => seen.has(card)) ? [] : cards;
}

/** Return the zones whose cards are played with. A board only counts cards. */
export const playable = (zones: readonly Zone[]): Zone[] => zones.filter((zone) => zone.kind !== "board");

// --- Rows ---

export interface Cell {
  row: number; // from 1, as in style sheets
  column: number; // the same, in halves of a card
}

/** Return the cells of cards in rows of a length. A partial row is centred. */
export const cells = (cards: number, across: number): Cell[] =>
  range(cards).map((n) => {
    const row = Math.floor(n / across);
    const missing = Math.max(0, across - (cards - row * across));
    return { row: row + 1, column: 2 * (n % across) + missing + 1 };
  });

// --- Captures ---

const MOST_GROUPS = 5;

/** Return captured cards in the game's groups, or by value, highest first. */
export function grouped(
  cards: readonly string[],
  groups: readonly { cards: readonly string[] }[],
  points: (card: string) => number | null,
): string[][] {
  const values = [...new Set(cards.map((card) => points(card) ?? 0))].sort((a, b) => b - a);
  const named = groups.map((group) => cards.filter((card) => group.cards.includes(card)));
  const rest = cards.filter((card) => !groups.some((group) => group.cards.includes(card)));
  const byValue = values.map((value) => cards.filter((card) => (points(card) ?? 0) === value));
  return (groups.length ? [...named, rest] : values.length <= MOST_GROUPS ? byValue : [[...cards]]).filter((group) => group.length);
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}

/** Return the zones of a seat, split into visible and face-down ones. The face-down ones are shown as counts. */
export function lying(zones: readonly Zone[]): { seen: Zone[]; unseen: Zone[] } {
  const choosing = zones.some(({ kind }) => kind === "offer"); // before the choice there is no hand yet
  const all = zones.filter((zone) => zone.count || zone.kind !== "hand" || !choosing);
  const unseen = all.filter((zone) => zone.kind !== "captured" && zone.cards.every((card) => card === null));
  return { seen: all.filter((zone) => !unseen.includes(zone)), unseen };
}
