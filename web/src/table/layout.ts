// Where everything lies, from the zones alone: who sits where, which places are common, and the slots in which cards stay put.

import type { View, Zone } from "../wire";

/** Where a seat sits, as the viewer sees the table. */
export type Side = "near" | "right" | "far" | "left" | "row";

const CARD = /^(\d+[HIOK]|G)$/;

/** Whether an action is a card, and not a word. */
export const isCard = (action: string): boolean => CARD.test(action);

/** What tells a zone from all others of its table. */
export const zoneKey = (zone: Zone): string => `${zone.id}/${zone.owner ?? ""}`;

/** The seats that are not the viewer's or the spectator's own, by how many they are: along the right, the far and the left side. */
const AROUND: readonly (readonly [right: number, far: number])[] = [
  [0, 0],
  [0, 1],
  [1, 0],
  [1, 1],
  [1, 2],
  [1, 3],
  [2, 2],
];

/** The side of every seat. The next to play sits to the right, as at a Japanese table. */
export function sides(view: Pick<View, "shape" | "you" | "dealer">, seats: number): Side[] {
  const bottom = view.you ?? 0;
  if (view.shape === "bank") {
    // The bank faces everybody else, from wherever one looks; and whoever looks has his own side before him.
    const others: Side = view.you === view.dealer ? "far" : "row";
    return range(seats).map((seat) => (seat === view.you ? "near" : seat === view.dealer ? "far" : others));
  }
  const others = seats - 1;
  const [right, far] = AROUND[others] ?? [Math.floor(others / 3), Math.ceil(others / 3)];
  return range(seats).map((seat) => {
    const place = (seat - bottom + seats) % seats; // 0 is the viewer, 1 plays next
    if (place === 0) return "near";
    if (place <= right) return "right";
    return place <= right + far ? "far" : "left";
  });
}

/** The seats of one side in playing order, after the viewer. */
export function along(side: Side, all: readonly Side[], you: number | null): number[] {
  const first = (you ?? 0) + 1;
  const seats = all.length;
  if (side === "row") return range(seats).filter((seat) => all[seat] === side);
  return range(seats)
    .map((step) => (first + step) % seats)
    .filter((seat) => all[seat] === side);
}

/** The common zones: those that everything turns around, and those beside them. */
export function commons(zones: readonly Zone[]): { middle: Zone[]; beside: Zone[] } {
  const common = zones.filter((zone) => zone.owner === null);
  const central = (zone: Zone): boolean => zone.layout !== "stack" || zone.kind === "pile";
  return { middle: common.filter(central), beside: common.filter((zone) => !central(zone)) };
}

/** The legal cards to choose from that lie nowhere: all that are legal, where one of them cannot be seen to be pressed. */
export function offered(view: Pick<View, "zones">, legal: readonly { action: string }[]): string[] {
  const seen = new Set(playable(view.zones).flatMap((zone) => (zone.layout === "stack" ? zone.cards.slice(-1) : zone.cards)));
  const cards = legal.map((option) => option.action).filter(isCard);
  return cards.every((card) => seen.has(card)) ? [] : cards;
}

/** The zones whose cards are played with. A board only tells of cards, as often as they have come. */
export const playable = (zones: readonly Zone[]): Zone[] => zones.filter((zone) => zone.kind !== "board");

// --- Slots: a card keeps its place for as long as it lies in a zone, so that nothing moves but what is played ---

/** `undefined` is a place from which a card has gone; `null` a card that is face down. */
export interface Slots {
  cards: readonly (string | null | undefined)[];
  first: number; // how many there were when the zone was laid out
}

export const NO_SLOTS: Slots = { cards: [], first: 0 };

/** The slots after a change: cards that stay keep theirs, and new ones take the first that are free. */
export function keep(slots: Slots, cards: readonly (string | null)[]): Slots {
  const now = new Set(cards);
  if (!slots.cards.some((card) => typeof card === "string" && now.has(card))) return { cards, first: cards.length };
  const kept = slots.cards.map((card) => (typeof card === "string" && now.has(card) ? card : undefined));
  const before = new Set(kept);
  for (const card of cards.filter((card) => card === null || !before.has(card))) {
    const free = kept.indexOf(undefined);
    if (free < 0) kept.push(card as never);
    else kept[free] = card as never;
  }
  return { cards: kept, first: slots.first };
}

export interface Cell {
  row: number; // from 1, as style sheets count
  column: number;
}

export const ROWS = 2;
const COLUMNS = 7;
const FEW = 4; // cards that lie in one row, however many there is room for

/** The columns of a grid for so many slots. There is room for more cards than usually lie there. */
export const columns = (slots: number, rows = ROWS, least = COLUMNS): number => Math.max(least, Math.ceil(slots / rows));

/**
 * The cells of a grid for so many slots. The first cards lie around its middle and in reading order, a few of them in one row; others
 * go around them.
 */
export function cells(first: number, slots: number, rows = ROWS, across = columns(slots, rows)): Cell[] {
  const all = range(rows * across).map((n) => ({ row: (n % rows) + 1, column: Math.floor(n / rows) + 1 }));
  const away = (cell: Cell): number => Math.abs(cell.column - (across + 1) / 2);
  all.sort((a, b) => away(a) - away(b) || a.column - b.column || a.row - b.row);
  if (fewFirst(first, across)) all.sort((a, b) => Number(a.row > 1) - Number(b.row > 1));
  const start = all.slice(0, first).sort((a, b) => a.row - b.row || a.column - b.column);
  return [...start, ...all.slice(first)].slice(0, slots);
}

const fewFirst = (first: number, across: number): boolean => first <= Math.min(FEW, across);

/** Whether all cards of a grid lie in one row, which then has the middle of the room. */
export const inOneRow = ({ cards, first }: Slots, across: number): boolean => fewFirst(first, across) && cards.length <= across;

/** The cells of so many slots in rows, one after the other. */
export const rowsOf = (slots: number, across: number): Cell[] =>
  range(slots).map((n) => ({ row: Math.floor(n / across) + 1, column: (n % across) + 1 }));

// --- Captures: in one line, group after group ---

export interface Lying {
  card: string;
  index: number; // in the line
  group: number;
  many: number; // how many its group has, told on the first of them; else 0
}

const MOST_GROUPS = 5;

/** Captured cards, as the game groups them; where it does not, by what they count, the most first. */
export function grouped(
  cards: readonly string[],
  groups: readonly { cards: readonly string[] }[],
  points: (card: string) => number | null,
): Lying[] {
  const values = [...new Set(cards.map((card) => points(card) ?? 0))].sort((a, b) => b - a);
  const named = groups.map((group) => cards.filter((card) => group.cards.includes(card)));
  const rest = cards.filter((card) => !groups.some((group) => group.cards.includes(card)));
  const byValue = values.map((value) => cards.filter((card) => (points(card) ?? 0) === value));
  const found = groups.length ? [...named, rest] : values.length <= MOST_GROUPS ? byValue : [[...cards]];
  return found
    .filter((group) => group.length)
    .flatMap((group, number) => group.map((card, n) => ({ card, group: number, many: n ? 0 : group.length })))
    .map((lying, index) => ({ ...lying, index }));
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}
