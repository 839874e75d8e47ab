// The sizes of cards, computed in one place from the room and the contents of the table.

/** The window of a table, in pixels. */
export interface Room {
  width: number;
  height: number;
  rem: number; // the font size
}

/** The contents that need room. */
export interface Need {
  shape: string; // of the table
  field: number; // cards side by side in the middle
  hand: number; // cards in the viewer's own hand, and its pile
  whole: number; // cards of the hand that stay uncovered: the last, and a pile
  numbered: boolean; // whether numbers stand above the cards
  lines: number; // rows that the field has by its layout; 0 for as many as fit
  aside?: boolean; // whether a row of small cards lies beside the last of these rows, or below the field
}

/** A phone held upright, a tablet, a phone on its side, or a broad window. The last two have a rail for everything but playable cards. */
export type Plan = "upright" | "tablet" | "low" | "wide";

/** The plan of a table in its room. */
export interface Plot {
  plan: Plan;
  rail: number; // its width; 0 for no rail
  columns: number; // of the other seats: a strip each if there are strips, else a chip each; 0 for one button for all
  large: boolean; // whether a chip has room for captures
}

/** The room for the cards of the field and of the hand, in pixels. */
export interface Space {
  height: number; // of both together
  hand: number; // the width of the hand
  field: (rows: number) => number; // the largest width of its cards for a number of rows
  rows: readonly number[]; // for the field
  gap: number; // between cards
  most: number; // of a card
  least: readonly [field: number, hand: number];
  overlaps: boolean; // whether the cards of a hand may overlap
}

/** The sizes of the cards. */
export interface Sizes {
  field: number;
  rows: number; // of the field
  columns: number;
  hand: number;
  hands: number; // rows of the hand
  across: number; // cards in one of them
  step: number; // from one card to the next: less than a card's width if they overlap
  gap: number; // between cards
  fits: boolean; // whether they fit at all
}

const TALL = 51 / 31; // a card's height in its widths
export const NUMBER = 18; // height in pixels of the row above it
export const GAP: Record<Plan, number> = { upright: 6, tablet: 10, low: 5, wide: 10 };
const MARGINS: Record<Plan, number> = { upright: 16, tablet: 40, low: 20, wide: 56 }; // beside the cards of a field
const PADDING: Record<Plan, number> = { upright: 38, tablet: 56, low: 22, wide: 52 }; // above and below all cards together
const MOST: Record<Plan, number> = { upright: 176, tablet: 184, low: 176, wide: 184 };
const BAR = 44; // pixels of a window outside the room, except in a low one
const LARGEST = 190; // the least width of a card in a large window:
const LARGE = [1700, 840] as const;
const SINGLE = 220; // of a card on a pile, and of one to bet on
const ACROSS = { pile: 2.35, bank: 2.5 }; // cards beside one another there, with their neighbours
const ABOVE = 26; // pixels that stay free above a pile
const LEAST = { field: 44, hand: 56, low: 48 };
const PILE = 10; // pixels between a pile and the hand
const DENSE = 4; // pixels between cards, and beside all of them, where a phone shows a field, a hand and a pile
const ASIDE = 6.5; // font sizes that a row of small cards needs, with its name and the gap
const FREE = 44; // pixels of a card that another must leave uncovered
const SEEN = 0.62; // of its width
const OVERLAPPING = [5, 9] as const; // cards of a row that may overlap
const SHARED = [1, 0.95, 0.9, 0.86] as const; // the value of a width that field and hand share in 2, 3, 4 and 5 rows
const ROWS = [1, 0.95, 0.9] as const; // its value in 1, 2 and 3 rows: a further row must gain 5 %
const FEW = 3; // other seats with room for their captures
const SOME = 6; // other seats that fit beside one another
const ROW = 7; // as many as fit into a row of a phone, each as wide as a touch target
const WORTH = 1.12; // by this factor cards must grow to be rendered larger

export function plotted(room: Room, others: number): Plot {
  const { width, height, rem } = room;
  const low = Math.max(172, 10.75 * rem); // the rail of a low window
  const plan: Plan =
    height < 480 && width >= Math.max(1.3 * height, 2 * low)
      ? "low"
      : width >= 900 && height + BAR >= 480
        ? "wide"
        : width >= 700 && height + BAR >= 900 && width <= height + BAR
          ? "tablet"
          : "upright";
  const railed = plan === "low" ? low : Math.max(clamp(220, 0.17 * width, 320), Math.min(11 * rem, 0.3 * width));
  const upright = others <= SOME ? others : Math.ceil(others / Math.ceil(others / ROW));
  const columns = {
    upright,
    tablet: upright,
    low: others <= FEW ? 1 : others <= SOME ? 3 : 0,
    wide: others <= FEW ? 1 : others <= SOME ? 2 : 4,
  };
  return {
    plan,
    rail: plan === "low" || plan === "wide" ? railed : 0,
    columns: columns[plan],
    large: others <= FEW && plan !== "low",
  };
}

/** Return the room for cards if all strips together are `taken` pixels high. */
export function spaced(room: Room, plot: Plot, taken: number, need: Need): Space {
  const { plan } = plot;
  const dense = plan === "upright" && need.shape === "ring";
  const gap = dense ? DENSE : GAP[plan];
  const aside = need.aside ? ASIDE * room.rem : 0;
  const width = room.width - plot.rail - (dense ? DENSE : MARGINS[plan]) - (need.lines && aside);
  const single = need.shape === "pile" || need.shape === "bank" ? ACROSS[need.shape] : null;
  const large = plan === "wide" && room.width >= LARGE[0] && room.height >= LARGE[1];
  return {
    height:
      room.height -
      taken -
      PADDING[plan] +
      (dense ? 2 * DENSE : 0) -
      (need.shape === "pile" && !plot.rail ? ABOVE : 0) -
      (need.lines * NUMBER || aside),
    hand: width - (plan === "low" ? 4 : 0) - (need.whole > 1 ? PILE : 0),
    field: (rows) => {
      const columns = single ?? Math.ceil(need.field / rows);
      return (width - (columns - 1) * gap) / columns;
    },
    rows: single ? [1] : need.lines ? [need.lines] : [1, 2, 3],
    gap,
    most: single ? SINGLE : large ? LARGEST : MOST[plan],
    least: [LEAST.field, plan === "low" ? LEAST.low : LEAST.hand],
    overlaps: need.shape !== "bank" && plan !== "wide",
  };
}

/**
 * Return the largest cards that fit: first the width that both can share, then the field in the rest, and the hand in what is left. A
 * further row must gain something.
 */
export function fitted(space: Space, { field, hand, whole, numbered }: Pick<Need, "field" | "hand" | "whole" | "numbered">): Sizes {
  const { height, gap, most } = space;
  const around = gap + (numbered ? NUMBER : 0); // of a card: the gap below it, and its number
  const across = (rows: number): number => Math.ceil(hand / rows);
  const fieldMost = (rows: number): number => Math.min(most, space.field(rows));
  const [leastField, leastHand] = space.least;
  const clear = (cards: number): number => (cards === hand ? whole : 1); // so many of these stay uncovered
  const handMost = (rows: number): number => {
    const cards = across(rows);
    const apart = (space.hand - (cards - 1) * gap) / cards;
    const [few, many] = OVERLAPPING;
    const covered = cards - clear(cards);
    const lapped = Math.min(space.hand / (clear(cards) + SEEN * covered), (space.hand - FREE * covered) / clear(cards));
    return Math.min(most, space.overlaps && cards >= few && cards <= many ? Math.max(apart, lapped) : apart);
  };
  // A row too many for the least width loses against any layout that keeps it.
  const crammed = (rows: number): number => (fieldMost(rows) < leastField ? 0.5 : 1);
  const cramped = (rows: number): number => (hand && handMost(rows) < leastHand ? 0.5 : 1);
  const high = (width: number, rows: number): number => rows * (width * TALL + around);
  const width = (pixels: number, rows: number): number => (pixels - rows * around) / (rows * TALL);
  const hands = hand ? [1, 2] : [1];

  const shared = space.rows.flatMap((rows) =>
    hands.map((handRows) => {
      const size = width(height, rows + (hand ? handRows : 0));
      const most = Math.min(fieldMost(rows), hand ? handMost(handRows) : Infinity);
      return {
        handRows,
        size: Math.min(most, Math.max(leastField, size)),
        counts: crammed(rows) * cramped(handRows) * (SHARED[rows + handRows - 2] ?? 0),
      };
    }),
  );
  const both = best(shared);
  const left = height - (hand ? high(Math.min(handMost(both.handRows), Math.max(leastHand, both.size)), both.handRows) : 0);
  const fields = space.rows.map((rows) => ({
    rows,
    size: Math.min(fieldMost(rows), Math.max(leastField, width(left, rows))),
    counts: crammed(rows) * (ROWS[rows - 1] ?? 0),
  }));
  const mat = best(fields);
  const rest = height - high(mat.size, mat.rows);
  const held = best(
    hands.map((rows) => ({
      rows,
      size: Math.min(handMost(rows), Math.max(leastHand, width(rest, rows))),
      counts: ROWS[rows - 1] ?? 0,
    })),
  );
  const cards = across(held.rows);
  const apart = held.size + gap;
  return {
    field: mat.size,
    rows: mat.rows,
    columns: Math.ceil(field / mat.rows),
    hand: hand ? held.size : 0,
    hands: hand ? held.rows : 0,
    across: cards,
    step: cards > clear(cards) ? Math.min(apart, (space.hand - clear(cards) * held.size) / (cards - clear(cards))) : apart,
    gap,
    fits: high(mat.size, mat.rows) + (hand ? high(held.size, held.rows) : 0) <= height + 1,
  };
}

const best = <Way extends { size: number; counts: number }>(ways: readonly Way[]): Way =>
  ways.reduce((first, other) => (other.size * other.counts > first.size * first.counts + 1e-6 ? other : first));

/**
 * Return the numbers of cards to size for: sizes shrink at once, and grow only when the viewer's turn begins, and then by a good deal.
 *
 * @param sizes the sizes for so many cards
 */
export function settled<Lying extends { field: number; hand: number }>(
  before: Lying,
  now: Lying,
  asked: boolean,
  sizes: (lying: Lying) => Pick<Sizes, "field" | "hand">,
): Lying {
  const most = { ...now, field: Math.max(before.field, now.field), hand: Math.max(before.hand, now.hand) };
  if (!asked) return most;
  const [kept, grown] = [sizes(most), sizes(now)];
  return grown.field >= WORTH * kept.field || grown.hand >= WORTH * kept.hand ? now : most;
}

function clamp(least: number, value: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}
