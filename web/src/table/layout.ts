// Where everything lies, from the zones alone: who sits where, which places are common, and how cards lie in rows.

import type { View, Zone } from "../wire";

const CARD = /^(\d+[HIOK]|G)$/;

/** Whether an action is a card, and not a word. */
export const isCard = (action: string): boolean => CARD.test(action);

/** Where a card lies in a hand: by its number, then its suit. What cannot be seen comes last. */
export const rank = (card: string | null): number =>
  card ? 4 * (parseInt(card) || 99) + "HIOK".indexOf(card.slice(-1)) : Infinity;

/** What tells a zone from all others of its table. */
export const zoneKey = (zone: Zone): string => `${zone.id}/${zone.owner ?? ""}`;

/** The seats that are not the viewer's, from left to right: the next to play sits to the right, and a bank before all others. */
export function opposite(view: Pick<View, "shape" | "you" | "dealer">, seats: number): number[] {
  if (view.shape !== "bank") return range(seats - 1).map((step) => ((view.you ?? 0) + seats - 1 - step) % seats);
  const rest = range(seats).filter((seat) => seat !== view.you && seat !== view.dealer);
  return view.you === view.dealer ? rest : [view.dealer, ...rest];
}

/** The common zones: those that everything turns around, and those beside them. */
export function commons(zones: readonly Zone[]): { middle: Zone[]; beside: Zone[] } {
  const common = zones.filter((zone) => zone.owner === null);
  const central = (zone: Zone): boolean => zone.layout !== "stack" || zone.kind === "pile";
  return { middle: common.filter(central), beside: common.filter((zone) => !central(zone)) };
}

/** The legal cards to choose from that lie nowhere: all that are legal, where one of them cannot be seen to be pressed. */
export function offered(view: Pick<View, "zones" | "you">, legal: readonly { action: string }[]): string[] {
  const near = playable(view.zones).filter(({ owner }) => owner === null || owner === view.you); // those of others are too small
  const seen = new Set(near.flatMap((zone) => (zone.layout === "stack" ? zone.cards.slice(-1) : zone.cards)));
  const cards = legal.map((option) => option.action).filter(isCard);
  return cards.every((card) => seen.has(card)) ? [] : cards;
}

/** The zones whose cards are played with. A board only tells of cards, as often as they have come. */
export const playable = (zones: readonly Zone[]): Zone[] => zones.filter((zone) => zone.kind !== "board");

// --- Rows ---

export interface Cell {
  row: number; // from 1, as style sheets count
  column: number; // likewise, in halves of a card
}

/** The cells of cards that lie in rows, so many in each. A row that is not full lies in the middle. */
export const cells = (cards: number, across: number): Cell[] =>
  range(cards).map((n) => {
    const row = Math.floor(n / across);
    const missing = Math.max(0, across - (cards - row * across));
    return { row: row + 1, column: 2 * (n % across) + missing + 1 };
  });

// --- Captures ---

const MOST_GROUPS = 5;

/** Captured cards, as the game groups them; where it does not, by what they count, the most first. */
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

/** The zones of a seat, apart by whether cards are seen in them. Those face down are told by how many they are. */
export function lying(zones: readonly Zone[]): { seen: Zone[]; unseen: Zone[] } {
  const choosing = zones.some(({ kind }) => kind === "offer"); // before the choice there is no hand yet
  const all = zones.filter((zone) => zone.count || zone.kind !== "hand" || !choosing);
  const unseen = all.filter((zone) => zone.kind !== "captured" && zone.cards.every((card) => card === null));
  return { seen: all.filter((zone) => !unseen.includes(zone)), unseen };
}
