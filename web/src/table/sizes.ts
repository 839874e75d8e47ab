// How large cards are, worked out once: from the room that there is, and from what lies there.

/** The window of a table, in pixels. */
export interface Room {
  width: number;
  height: number;
  rem: number; // the size of its letters
}

/** What there has to be room for. */
export interface Need {
  shape: string; // of the table
  others: number; // seats that are not the viewer's
  field: number; // the most cards that lie side by side in the middle
  stacks: number; // beside them
  hand: number; // the most cards in the viewer's own hand
  numbered: boolean; // whether numbers stand above the cards
}

/** Upright, broad, or too low for anything to stand above anything. */
export type Plan = "tall" | "wide" | "low";

/** How a table is laid out in its room. */
export interface Plot {
  plan: Plan;
  rails: boolean; // whether others sit to the right and the left of the middle
  chips: boolean; // whether others are told in a line each
  brief: boolean; // whether there is room for the numbers of captured cards only, as in letters of twice the size
  side: number; // the width of a rail, or of what lies beside a low table; 0 where nothing does
  small: number; // the width of the cards of others, and of captured ones
}

/** How large its cards are. */
export interface Sizes {
  field: number;
  hand: number;
  rows: number; // of the field
  columns: number;
  hands: number; // rows of the hand
  across: number; // cards in one of them
  fits: boolean; // whether there is room for them at all
}

const TALL = 51 / 31; // a card's height in its widths
const NUMBER = 0.27; // the row above it likewise
const STACK = 0.72; // a stack's width, in those of a card of the field
const HIGHEST = 22; // pixels of that row
const GAP = 4;
const OWN = 6; // rem for captures beside the hand in a low window, of a rem that it has room for
const ROOMY = 22; // so many rem is a window high in which letters may take theirs in full
const STAKED = 7; // rem for what lies staked beside a hand
const STEPS = 16; // in which a size is found
export const BETWEEN = { tall: 3.2, wide: 3.2, low: 2.1 }; // rem between and around what stands above one another
const LEAST = { tall: 36, wide: 40, low: 30 };
const MOST = 150;
const PLENTY = 90; // a single card that is larger is no easier to read
const FEW = 8; // cards of a field: for so many there is room in any case
const HAND = 5; // likewise of a hand
const GROWING = 8; // likewise of one that grows
const LARGER = 1.2; // a card in the hand than one of the field, at most
const CHIPS = 4; // from so many others on they are told in a line each, where there is not the room for more
const RAIL = 0.27; // of a rail's width a card in it: a pile, what is captured and the name of a hand lie side by side
const NARROW = 16; // rem in which names and numbers have no room beside one another
const BROAD = 15; // rem that a seat needs

export function plotted(room: Room, { shape, others }: Need): Plot {
  const { width, height, rem } = room;
  const plan: Plan = height < 480 && width > 1.3 * height ? "low" : width >= 780 && width > 0.9 * height ? "wide" : "tall";
  const side = Math.min(0.22 * width, Math.max(13 * rem, 0.11 * width));
  const brief = height < (plan === "low" ? 14 : 25) * rem || width < NARROW * rem;
  const rails =
    plan === "wide" && ["ring", "pile"].includes(shape) && others > 1 && width > 56 * rem && others <= CHIPS + 2 && !brief;
  const abreast = rails ? 5 : Math.min(others, shape === "bank" ? 5 : 9);
  const chips =
    others >= (plan === "low" ? 2 : CHIPS) && !rails && (plan !== "wide" || brief || others > 6 || width / abreast < BROAD * rem);
  const tallest = plan === "low" ? height * 0.08 : plan === "wide" ? height * 0.066 : height * 0.05;
  const small = clamp(22, Math.min(tallest, (width / abreast) * 0.28, rails ? RAIL * side : MOST), 88);
  return { plan, rails, chips, brief, side: plan === "low" || rails ? side : 0, small };
}

/** The largest cards for which there is room, where all else is `taken` pixels high, and what lies beside the hand `own`. */
export function fitted(room: Room, plot: Plot, taken: number, own: number, need: Need): Sizes {
  const gridded = ["faces", "ring"].includes(need.shape);
  const rem = plot.plan === "low" ? Math.min(room.rem, room.height / ROOMY) : room.rem;
  const width = room.width - (plot.rails ? 2 : 1) * (plot.side + 2 * GAP) - 4 * GAP;
  const across =
    plot.plan === "tall" ? room.width : plot.plan === "low" ? width - OWN * rem : room.width - 2 * (beside(room) + room.rem);
  const handWidth = across - (need.shape === "bank" ? Math.min(Math.max(STAKED * rem, 3.4 * plot.small), 0.32 * across) : 0);
  // What stands above a pile or a cloth, and what of the cloth is seen around its card.
  const heads = gridded ? 0 : (need.shape === "bank" ? 2.3 : 1.3) * room.rem;
  const most = Math.max(need.hand, need.shape === "pile" ? GROWING : HAND);
  const cell = (card: number): number => card * TALL + (need.numbered ? Math.min(NUMBER * card, HIGHEST) : 0) + 2 * GAP;
  const found = (gridded ? [2, 3, 1] : [1]).flatMap((rows) => {
    const columns = Math.ceil(Math.max(need.field, gridded ? FEW : 1) / rows);
    const broad = Math.min(fieldWidth(width, need, rows, columns, room.rem), MOST);
    return (need.hand === 0 ? [0] : plot.plan === "tall" ? [1, 2, 3] : [1]).map((hands) => {
      const handBroad = Math.min(hands ? handWidth / Math.ceil(most / hands) - GAP : 0, MOST);
      const field = (size: number): number => Math.min(size, broad);
      const hand = (size: number): number => Math.min(LARGER * Math.min(size, 1.1 * field(size)), handBroad);
      const high = (size: number): number => heads + rows * cell(field(size)) + Math.max(own, hands * cell(hand(size)));
      let [least, largest] = [LEAST[plot.plan], MOST];
      for (let step = 0; step < STEPS; step++) {
        const middle = (least + largest) / 2;
        if (high(middle) <= room.height - taken) least = middle;
        else largest = middle;
      }
      const over = Math.max(0, high(least) - (room.height - taken));
      const sizes: Sizes = {
        field: field(least),
        hand: hand(least),
        rows,
        columns,
        hands,
        across: hands ? Math.ceil(most / hands) : 0,
        fits: over === 0,
      };
      // Of a pile a single card is looked at, and of the hand all.
      const worth = need.shape === "pile" ? Math.min(sizes.field, PLENTY) + 2 * sizes.hand : 2 * sizes.field + sizes.hand;
      return { sizes, worth: over ? -over : worth };
    });
  });
  return found.reduce((best, other) => (other.worth > best.worth ? other : best)).sizes;
}

/** How wide what lies beside the hand is, where there is room for it. */
export const beside = (room: Room): number => clamp(11 * room.rem, 0.2 * room.width, 24 * room.rem);

/** How wide a card of the field may be. */
function fieldWidth(width: number, need: Need, rows: number, columns: number, rem: number): number {
  if (need.shape === "bank") return (0.45 * width - rem) / TALL;
  if (need.shape === "pile") return (0.9 * width) / (1 + STACK + 0.6);
  const stacks = Math.ceil(need.stacks / rows);
  return (width - (columns + stacks) * GAP - (stacks ? rem : 0)) / (columns + stacks * STACK);
}

function clamp(least: number, value: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}
