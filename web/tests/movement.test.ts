import { describe, expect, it } from "vitest";
import { freshAfter, NOTHING_FRESH } from "../src/table/fresh";
import { moves } from "../src/table/movement";
import type { Event, Text, Zone } from "../src/wire";

type Cards = (string | null)[];

const hidden = (count: number): Cards => Array<null>(count).fill(null);

function table(hand: Cards, other: Cards, field: Cards, stock: number, won: Cards = [], lost: Cards = []): Zone[] {
  const zone = (id: string, owner: number | null, kind: string, layout: string, cards: Cards): Zone => ({
    id,
    owner,
    kind,
    layout,
    cards,
    count: cards.length,
  });
  return [
    zone("hand-0", 0, "hand", "fan", hand),
    zone("hand-1", 1, "hand", "fan", other),
    zone("field", null, "field", "grid", field),
    zone("stock", null, "stock", "stack", hidden(stock)),
    zone("captured-0", 0, "captured", "row", won),
    zone("captured-1", 1, "captured", "row", lost),
  ];
}

const event = (seat: number | null, args: Text["args"] = {}): Pick<Event, "kind" | "seat" | "text"> => ({
  kind: "play",
  seat,
  text: { id: "events.any", args },
});

describe("moves", () => {
  it("need no source for a card that is seen all the way", () => {
    const found = moves(
      table(["1H", "2H"], hidden(2), ["5I"], 9),
      table(["2H"], hidden(2), ["5I", "1H"], 9),
      event(0, { card: "1H" }),
    );
    expect(found).toEqual({ from: new Map(), to: new Map(), lead: null, over: null });
  });

  it("bring a card out of its player's hand", () => {
    const before = table(["1H"], hidden(2), ["5I"], 9);
    const found = moves(before, table(["1H"], hidden(1), ["5I", "7K"], 9), event(1, { card: "7K" }));
    expect(found.from).toEqual(new Map([["7K", "hand-1/1"]]));
  });

  it("bring a turned-up card out of the stock, at every seat's turn", () => {
    const before = table(["1H"], hidden(2), ["5I"], 9);
    const found = moves(before, table(["1H"], hidden(2), ["5I", "7K"], 8), event(16, { seat: 1, card: "7K" }));
    expect(found.from).toEqual(new Map([["7K", "stock/"]]));
  });

  it("let a capturing card go to its target first", () => {
    const before = table(["1H"], hidden(2), ["5I", "7O"], 9);
    const after = table(["1H"], hidden(1), ["5I"], 9, [], ["7K", "7O"]);
    const found = moves(before, after, event(1, { seat: 1, card: "7K", cards: ["7O"] }));
    expect(found).toEqual({ from: new Map([["7K", "hand-1/1"]]), to: new Map(), lead: "7K", over: "7O" });
  });

  it("have no capture while a card waits on the field", () => {
    const before = table([], hidden(1), ["7K", "7O"], 9);
    const found = moves(before, table([], hidden(1), [], 9, ["7K", "7O"]), event(0, { seat: 0, card: "7K", cards: ["7O"] }));
    expect(found.lead).toBeNull();
  });

  it("deal all visible cards out of the stock", () => {
    const found = moves(table([], [], [], 12), table(["1H", "2H"], hidden(2), ["5I", "6I"], 6), event(16, { seat: 1 }));
    expect([...found.from.values()]).toEqual(["stock/", "stock/", "stock/", "stock/"]);
  });

  it("turn cards up where they lie", () => {
    const found = moves(table([], [], hidden(2), 9), table([], [], ["5I", "6I"], 9), event(16));
    expect(found.from).toEqual(
      new Map([
        ["5I", "field/"],
        ["6I", "field/"],
      ]),
    );
  });

  it("follow a hidden card to the zone that has one more", () => {
    const found = moves(table(["1H"], [], ["5I", "6I"], 9), table(["1H"], [], [], 11), event(16));
    expect(found.to).toEqual(
      new Map([
        ["5I", "stock/"],
        ["6I", "stock/"],
      ]),
    );
    expect(found.from.size).toBe(0);
  });

  it("are empty without a change", () => {
    const same = table(["1H"], hidden(3), ["5I"], 9);
    expect(moves(same, same, null)).toEqual({ from: new Map(), to: new Map(), lead: null, over: null });
  });
});

describe("fresh cards", () => {
  const cards = (events: (Pick<Event, "kind" | "seat" | "text"> | null)[]): string[] =>
    [...events.reduce(freshAfter, NOTHING_FRESH).cards].toSorted();

  it("are the played, captured and turned-up ones", () => {
    const played = event(1, { card: "7K", cards: ["7O"] });
    expect(cards([played])).toEqual(["7K", "7O"]);
    expect(cards([played, event(16, { seat: 1, card: "3H" })])).toEqual(["3H", "7K", "7O"]);
  });

  it("stay fresh until another seat plays", () => {
    const waits = event(1, { card: "7K" });
    expect(cards([waits, event(1, { card: "7K", cards: ["7O"] }), null])).toEqual(["7K", "7O"]);
    expect(cards([waits, event(0, { card: "1H" })])).toEqual(["1H"]);
  });

  it("are none when a round begins, and outlast a lost connection", () => {
    expect(cards([event(1, { card: "7K" }), { ...event(null), kind: "round" }])).toEqual([]);
    expect(cards([event(1, { card: "7K" }), { ...event(0), kind: "hold" }])).toEqual(["7K"]);
  });
});

describe("equal cards", () => {
  const bets = (first: Cards, second: Cards, past: Cards): Zone[] => {
    const zone = (id: string, owner: number | null, kind: string, cards: Cards): Zone => ({
      id,
      owner,
      kind,
      layout: "row",
      cards,
      count: cards.length,
    });
    return [zone("bet-0", 0, "bet", first), zone("bet-1", 1, "bet", second), zone("past", null, "board", past)];
  };

  it("have no movement, because they cannot be told apart", () => {
    const found = moves(bets(["1H"], [null], []), bets(["1H"], ["1H"], []), event(16));
    expect([...found.from, ...found.to]).toEqual([]);
  });

  it("stay in place, however often a board counts them", () => {
    const found = moves(bets(["1H", "2H"], [], ["2H"]), bets(["2H"], ["1H"], ["2H", "2H", "1H"]), event(0));
    expect([...found.from, ...found.to]).toEqual([]);
  });
});
