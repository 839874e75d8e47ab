import { describe, expect, it } from "vitest";
import {
  along,
  cells,
  columns,
  commons,
  grouped,
  inOneRow,
  isCard,
  keep,
  NO_SLOTS,
  offered,
  sides,
  zoneKey,
  type Side,
} from "../src/table/layout";
import type { Zone } from "../src/wire";

const zone = (id: string, kind: string, layout: string, owner: number | null = null): Zone => ({
  id,
  kind,
  layout,
  owner,
  cards: [],
  count: 0,
});

describe("seats", () => {
  const places = (shape: string, you: number | null, dealer: number, seats: number): Side[] => sides({ shape, you, dealer }, seats);

  it("sit opposite each other, whoever looks", () => {
    expect(places("faces", 0, 1, 2)).toEqual(["near", "far"]);
    expect(places("faces", 1, 1, 2)).toEqual(["far", "near"]);
    expect(places("faces", null, 0, 2)).toEqual(["near", "far"]);
  });

  it("sit around the table with the next to play on the right", () => {
    expect(places("ring", 0, 0, 3)).toEqual(["near", "right", "left"]);
    expect(places("ring", 2, 0, 4)).toEqual(["far", "left", "near", "right"]);
    expect(places("pile", 0, 0, 7)).toEqual(["near", "right", "right", "far", "far", "left", "left"]);
  });

  it("have one place each in every ring", () => {
    for (let seats = 2; seats <= 12; seats++) {
      const all = places("ring", 1, 0, seats);
      expect(all.filter((side) => side === "near")).toHaveLength(1);
      const seen = (["right", "far", "left", "near"] as const).flatMap((side) => along(side, all, 1));
      expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: seats }, (_, seat) => seat));
      // Read along the sides they are in playing order, beginning after the viewer.
      expect(seen[0]).toBe(2 % seats);
    }
  });

  it("all face the bank, and the bank faces them; one's own side is near", () => {
    expect(places("bank", 0, 2, 4)).toEqual(["near", "row", "far", "row"]);
    expect(places("bank", null, 2, 4)).toEqual(["row", "row", "far", "row"]);
    expect(places("bank", 2, 2, 4)).toEqual(["far", "far", "near", "far"]);
    expect(along("row", places("bank", 1, 2, 4), 1)).toEqual([0, 3]);
  });
});

describe("common zones", () => {
  it("lie in the middle, with stacks beside them", () => {
    const zones = [
      zone("hand-0", "hand", "fan", 0),
      zone("field", "field", "grid"),
      zone("stock", "stock", "stack"),
      zone("heap", "pile", "stack"),
      zone("past", "board", "row"),
      zone("dead", "dead", "stack"),
    ];
    const { middle, beside } = commons(zones);
    expect(middle.map((each) => each.id)).toEqual(["field", "heap", "past"]);
    expect(beside.map((each) => each.id)).toEqual(["stock", "dead"]);
  });

  it("are told apart by id and owner", () => {
    expect(zoneKey(zone("pile", "pile", "stack", 0))).not.toBe(zoneKey(zone("pile", "pile", "stack", 1)));
    expect(zoneKey(zone("pile", "pile", "stack"))).not.toBe(zoneKey(zone("pile", "pile", "stack", 0)));
  });
});

describe("slots", () => {
  it("leave a card where it is", () => {
    const dealt = keep(NO_SLOTS, ["1H", "3I", "5O", "7K"]);
    const played = keep(dealt, ["1H", "5O", "7K"]);
    expect(played.cards).toEqual(["1H", undefined, "5O", "7K"]);
    expect(keep(played, ["1H", "2K", "5O", "7K"]).cards).toEqual(["1H", "2K", "5O", "7K"]);
    expect(keep(dealt, ["1H", "2K", "3I", "5O", "7K"]).cards).toEqual(["1H", "3I", "5O", "7K", "2K"]);
  });

  it("are laid out anew when nothing that lay there is left", () => {
    const before = keep(NO_SLOTS, ["1H", "3I", "5O"]);
    expect(keep(before, ["2H", "4I"])).toEqual({ cards: ["2H", "4I"], first: 2 });
    expect(keep(before, [])).toEqual({ cards: [], first: 0 });
  });

  it("hold cards that are face down", () => {
    const dealt = keep(NO_SLOTS, [null, null, null]);
    expect(dealt.cards).toEqual([null, null, null]);
    expect(keep(dealt, ["1H", "2H", "3H"])).toEqual({ cards: ["1H", "2H", "3H"], first: 3 });
    expect(keep(keep(NO_SLOTS, ["1H", null, null]), ["1H", null]).cards).toEqual(["1H", null, undefined]);
  });

  it("hold every card once", () => {
    let slots = NO_SLOTS;
    for (const cards of [["1H", "2H"], ["1H", "2H", "3H"], ["3H"], ["3H", "4H", "5H", "6H"], ["5H"]]) {
      slots = keep(slots, cards);
      expect(slots.cards.filter((card) => card !== undefined).toSorted()).toEqual(cards);
    }
  });
});

describe("cells", () => {
  const place = (first: number, slots: number): string[] => cells(first, slots).map(({ row, column }) => `${row}/${column}`);

  it("lie around the middle, and the first of them in reading order", () => {
    expect(place(6, 6)).toEqual(["1/3", "1/4", "1/5", "2/3", "2/4", "2/5"]);
    expect(place(6, 8)).toEqual(["1/3", "1/4", "1/5", "2/3", "2/4", "2/5", "1/2", "2/2"]);
  });

  it("of a few are one row, which others join before they lie in another", () => {
    expect(place(3, 3)).toEqual(["1/3", "1/4", "1/5"]);
    expect(cells(2, 5, 2, 4).map(({ row, column }) => `${row}/${column}`)).toEqual(["1/2", "1/3", "1/1", "1/4", "2/2"]);
    const lying = { cards: ["1H", undefined, "3H"], first: 3 };
    expect(inOneRow(lying, 4)).toBe(true);
    expect(inOneRow(lying, 2)).toBe(false);
    expect(inOneRow({ cards: ["1H", "2H", "3H", "4H", "5H"], first: 5 }, 7)).toBe(false);
  });

  it("never change for a card while others come", () => {
    for (let slots = 2; slots <= 14; slots++) expect(place(2, slots).slice(0, 2)).toEqual(place(2, 2));
    for (let slots = 8; slots <= 14; slots++) expect(place(8, slots).slice(0, 8)).toEqual(place(8, 8));
  });

  it("are one for each card, however many there are", () => {
    for (let slots = 0; slots <= 40; slots++) {
      const all = place(Math.min(9, slots), slots);
      expect(new Set(all).size).toBe(slots);
      expect(Math.max(0, ...cells(0, slots).map((cell) => cell.column))).toBeLessThanOrEqual(columns(slots));
    }
  });
});

describe("captures", () => {
  const worth: Record<string, number> = { "1H": 20, "2H": 20, "3I": 5, "4O": 1, "5O": 1 };
  const points = (card: string): number | null => worth[card] ?? null;

  it("lie in a line, those that count most first, with how many each group has", () => {
    expect(grouped(["4O", "1H", "2H", "3I", "5O"], [], points)).toEqual([
      { card: "1H", index: 0, group: 0, many: 2 },
      { card: "2H", index: 1, group: 0, many: 0 },
      { card: "3I", index: 2, group: 1, many: 1 },
      { card: "4O", index: 3, group: 2, many: 2 },
      { card: "5O", index: 4, group: 2, many: 0 },
    ]);
  });

  it("lie as the game groups them, and what it does not group last", () => {
    const groups = [{ cards: ["3I", "9K"] }, { cards: ["4O", "1H"] }];
    const found = grouped(["5O", "1H", "3I", "4O"], groups, points);
    expect(found.map(({ card, group, many }) => [card, group, many])).toEqual([
      ["3I", 0, 1],
      ["1H", 1, 2],
      ["4O", 1, 0],
      ["5O", 2, 1],
    ]);
  });

  it("are one group where they count many different things, or nothing", () => {
    const many = (card: string): number => Number(card.slice(0, -1));
    const cards = ["1O", "9H", "2I", "7K", "3O", "8K"];
    expect(grouped(cards, [], many).map((each) => each.card)).toEqual(cards);
    expect(grouped(cards, [], many)[0]?.many).toBe(6);
    expect(grouped(cards, [], () => null).map((each) => each.card)).toEqual(cards);
    expect(grouped([], [], points)).toEqual([]);
  });
});

it("tells cards from words", () => {
  expect(["7I", "10K", "12H", "G"].every(isCard)).toBe(true);
  expect(["decline", "take-six", "one", "7", "left"].some(isCard)).toBe(false);
});

describe("legal cards that lie nowhere", () => {
  const hand = { ...zone("hand-0", "hand", "fan", 0), cards: ["1H", "2H"] };
  const pile = { ...zone("pile", "pile", "stack"), cards: ["9K", "7K"] };
  const board = { ...zone("board", "board", "row"), cards: ["3O"] };
  const asked = (...actions: string[]): string[] =>
    offered(
      { zones: [hand, pile, board] },
      actions.map((action) => ({ action })),
    );

  it("are none where each can be pressed, and words never are", () => {
    expect(asked("1H", "2H", "7K", "stay")).toEqual([]);
    expect(asked()).toEqual([]);
  });

  it("are offered with all others that are legal", () => {
    expect(asked("1H", "4I", "stay")).toEqual(["1H", "4I"]);
  });

  it("are also those beneath the top of a stack, and those a board tells of", () => {
    expect(asked("9K")).toEqual(["9K"]);
    expect(asked("3O")).toEqual(["3O"]);
  });
});
