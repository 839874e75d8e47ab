import { describe, expect, it } from "vitest";
import { cells, commons, grouped, isCard, offered, opposite, rank, zoneKey } from "../src/table/layout";
import type { Zone } from "../src/wire";

const zone = (id: string, kind: string, layout: string, owner: number | null = null): Zone => ({
  id,
  kind,
  layout,
  owner,
  cards: [],
  count: 0,
});

describe("the others", () => {
  const places = (shape: string, you: number | null, dealer: number, seats: number): number[] =>
    opposite({ shape, you, dealer }, seats);

  it("sit opposite, the next to play on the right, for every viewer", () => {
    expect(places("faces", 1, 1, 2)).toEqual([0]);
    expect(places("faces", null, 0, 2)).toEqual([1]);
    expect(places("ring", 2, 0, 4)).toEqual([1, 0, 3]);
    expect(places("pile", 0, 0, 7)).toEqual([6, 5, 4, 3, 2, 1]);
  });

  it("of a bank come after it", () => {
    expect(places("bank", 0, 2, 4)).toEqual([2, 1, 3]);
    expect(places("bank", null, 2, 4)).toEqual([2, 0, 1, 3]);
    expect(places("bank", 2, 2, 4)).toEqual([0, 1, 3]);
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

  it("differ by id and owner", () => {
    expect(zoneKey(zone("pile", "pile", "stack", 0))).not.toBe(zoneKey(zone("pile", "pile", "stack", 1)));
    expect(zoneKey(zone("pile", "pile", "stack"))).not.toBe(zoneKey(zone("pile", "pile", "stack", 0)));
  });
});

describe("cells", () => {
  const place = (cards: number, across: number): string[] => cells(cards, across).map(({ row, column }) => `${row}/${column}`);

  it("lie in rows, each in two halves of a column", () => {
    expect(place(4, 2)).toEqual(["1/1", "1/3", "2/1", "2/3"]);
    expect(place(3, 3)).toEqual(["1/1", "1/3", "1/5"]);
    expect(place(0, 4)).toEqual([]);
  });

  it("of a row that is not full lie in the middle", () => {
    expect(place(3, 4)).toEqual(["1/2", "1/4", "1/6"]);
    expect(place(5, 3)).toEqual(["1/1", "1/3", "1/5", "2/2", "2/4"]);
  });
});

describe("captures", () => {
  const worth: Record<string, number> = { "1H": 20, "2H": 20, "3I": 5, "4O": 1, "5O": 1 };
  const points = (card: string): number | null => worth[card] ?? null;

  it("lie in groups by what they count, the most first", () => {
    expect(grouped(["4O", "1H", "2H", "3I", "5O"], [], points)).toEqual([["1H", "2H"], ["3I"], ["4O", "5O"]]);
  });

  it("lie in the game's groups, ungrouped cards last", () => {
    const groups = [{ cards: ["3I", "9K"] }, { cards: ["4O", "1H"] }];
    expect(grouped(["5O", "1H", "3I", "4O"], groups, points)).toEqual([["3I"], ["1H", "4O"], ["5O"]]);
  });

  it("are one group where they count many different things, or nothing", () => {
    const many = (card: string): number => Number(card.slice(0, -1));
    const cards = ["1O", "9H", "2I", "7K", "3O", "8K"];
    expect(grouped(cards, [], many)).toEqual([cards]);
    expect(grouped(cards, [], () => null)).toEqual([cards]);
    expect(grouped([], [], points)).toEqual([]);
  });
});

it("tells cards from words", () => {
  expect(["7I", "10K", "12H", "G"].every(isCard)).toBe(true);
  expect(["decline", "take-six", "one", "7", "left"].some(isCard)).toBe(false);
});

describe("legal cards outside of all zones", () => {
  const hand = { ...zone("hand-0", "hand", "fan", 0), cards: ["1H", "2H"] };
  const pile = { ...zone("pile", "pile", "stack"), cards: ["9K", "7K"] };
  const board = { ...zone("board", "board", "row"), cards: ["3O"] };
  const asked = (...actions: string[]): string[] =>
    offered(
      { zones: [hand, pile, board], you: 0 },
      actions.map((action) => ({ action })),
    );

  it("are none if each can be pressed, and words never count", () => {
    expect(asked("1H", "2H", "7K", "stay")).toEqual([]);
    expect(asked()).toEqual([]);
  });

  it("are offered with all others that are legal", () => {
    expect(asked("1H", "4I", "stay")).toEqual(["1H", "4I"]);
  });

  it("include cards below the top of a stack, and cards of a board", () => {
    expect(asked("9K")).toEqual(["9K"]);
    expect(asked("3O")).toEqual(["3O"]);
  });
});

it("cards of a hand are in order of their numbers, hidden ones last", () => {
  expect([null, "G", "12H", "2K", "2H"].toSorted((one, two) => rank(one) - rank(two))).toEqual(["2H", "2K", "12H", "G", null]);
});
