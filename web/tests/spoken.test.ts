import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Catalogue, Legal, View, Worths, Zone } from "../src/wire";
import "./stubs";

const { settings } = await import("../src/lib/settings.svelte");
const { speak } = await import("../src/lib/language.svelte");
const { Voice } = await import("../src/lib/voice");
const { placeName, shownCard, spokenCard, spokenPlaces, spokenZone } = await import("../src/table/spoken");

const catalogue: Catalogue = {
  game: "game",
  version: 1,
  lang: "en",
  name: "Game",
  summary: "",
  texts: {
    zones: { hand: "Hand", field: "Field", captured: "Captures", pot: "Pot" },
    numbers: { player: "Player {n}", joint: ", " },
    words: { "take-back": "Take {card} back" },
  },
  cites: {},
  clauses: {},
  yaku: {},
  names: {
    seed: {
      title: "Names",
      cards: { "8I": "Aka hachi", "8O": "Subeta 8 of coins", "8K": "Subeta 8 of cups" },
      plain: { "8I": "8 of swords", "8O": "8 of coins", "8K": "8 of cups" },
      kana: {},
      latin: {},
    },
  },
};
const voice = new Voice(catalogue, { id: "seed", title: {}, drawn: "ise", sprite: "/cards/ise.svg", art: "/cards/ise.svg" }, [
  null,
  "Aki",
]);
const worths: Worths = {
  table: "t",
  cards: { "8I": { points: 1, yaku: [] }, "8O": { points: 10, yaku: [] }, "8K": { points: null, yaku: [] } },
};
const legal = (action: string, takes: string[] = [], choices: string[] = []): Legal => ({
  action,
  text: { id: "card", args: { card: action } },
  takes,
  choices,
});
const zone = (kind: string, owner: number | null, cards: (string | null)[]): Zone => ({
  id: kind,
  kind,
  owner,
  layout: "row",
  cards,
  count: cards.length,
});

async function say(lang: string): Promise<void> {
  settings.lang = lang;
  await speak();
}

beforeAll(() => say("en"));
afterEach(() => (settings.names = "long"));

describe("a card", () => {
  it("announces that it would be taken back", () => {
    const back: Legal = { ...legal("8O"), text: { id: "words.take-back", args: { card: "8O" } } };
    expect(spokenCard("8O", voice, { legal: back })).toBe("8 of coins; Take 8 of coins back");
  });

  it("is spoken with its name, its value and its capture", () => {
    expect(spokenCard("8I", voice, { worths, legal: legal("8I", ["8O"]) })).toBe("8 of swords, 1 point; takes 8 of coins");
    expect(spokenCard("8O", voice, { worths })).toBe("8 of coins, 10 points");
  });

  it("is spoken briefly on request", () => {
    settings.names = "short";
    expect(spokenCard("8I", voice, { worths, legal: legal("8I", ["8O"]) })).toBe("8 of swords; takes 8 of coins");
  });

  it("has no points if they are unknown or nothing counts", () => {
    expect(spokenCard("8K", voice, { worths })).toBe("8 of cups");
    expect(spokenCard("8I", voice, {})).toBe("8 of swords");
  });

  it("announces that it is fresh, and its choices", () => {
    expect(spokenCard("8I", voice, { fresh: true })).toBe("8 of swords, new");
    expect(spokenCard("8I", voice, { legal: legal("8I", [], ["8O", "8K"]) })).toBe(
      "8 of swords; choose one: 8 of coins, 8 of cups",
    );
  });

  it("has its traditional name in the log, when lifted, and everywhere on request", () => {
    expect(voice.old.text({ id: "card", args: { card: "8I" } })).toBe("Aka hachi");
    expect(shownCard("8I", voice, worths, undefined)).toBe("8 of swords, Aka hachi, 1 point");
    const own = new Voice(catalogue, voice.pack, [], [], null, undefined, true);
    expect(own.card("8I")).toBe("Aka hachi");
    expect(spokenCard("8I", own, {})).toBe("Aka hachi, 8 of swords");
    expect(shownCard("8I", own, worths, undefined)).toBe("Aka hachi, 1 point");
  });

  it.each([
    ["5 of cups", "Subeta 5 of cups", "5 of cups (Subeta)"],
    ["5 of cups", "Kasu (5 of cups)", "5 of cups (Kasu)"],
    ["5 of cups", "5 of cups", "5 of cups"],
    ["8 of swords", "Aka hachi", "8 of swords, Aka hachi"],
    ["コップの5", "コップのスベタ五", "コップの5 (スベタ)"],
    ["コップの5", "コップのスベタ四", "コップの5, コップのスベタ四"],
    ["コップの1", "コップのガスピン", "コップの1, コップのガスピン"],
  ])("called %s and %s repeats no word", (plain, name, said) => {
    const names = { title: "", cards: { "5K": name }, plain: { "5K": plain }, kana: {}, latin: {} };
    const both = (traditional: boolean): string =>
      new Voice({ ...catalogue, names: { seed: names } }, voice.pack, [], [], null, undefined, traditional).both("5K");
    expect(both(false)).toBe(said);
    expect(both(true)).toBe(name);
  });

  it("with a longer traditional name is not called by its plain one, too", () => {
    const own = new Voice(catalogue, voice.pack, [], [], null, undefined, true);
    expect(own.spoken("8O")).toBe("Subeta 8 of coins");
    expect(own.spoken("8I")).toBe("Aka hachi, 8 of swords");
  });

  it("of flowers is named by them, and by its number on request", () => {
    const pack = { id: "hanafuda", title: {}, drawn: "hanafuda", sprite: "/cards/hanafuda.svg", art: "/cards/hanafuda.svg" };
    const names = { title: "", cards: { "8H": "Susuki with moon" }, plain: {}, kana: {}, latin: {} };
    const flowers = new Voice({ ...catalogue, names: { hanafuda: names } }, pack);
    expect(flowers.card("8H")).toBe("Susuki with moon");
    expect(flowers.spoken("8H")).toBe("Susuki with moon, flower 8");
  });

  it("does not say that it takes itself", () => {
    expect(spokenCard("8O", voice, { legal: legal("8O", ["8O"]) })).toBe("8 of coins");
  });
});

it("a card under the pointer is described in full at every setting, a word by its effect", () => {
  settings.names = "short";
  expect(shownCard("8I", voice, worths, legal("8I", ["8O"]))).toContain("1 point; takes 8 of coins");
  expect(shownCard("take-all", voice, worths, legal("take-all", ["8O"]))).toBe("takes 8 of coins");
});

describe("a place", () => {
  it("is named by its owner", () => {
    expect(placeName(zone("hand", 0, []), 0, voice)).toBe("Your hand");
    expect(placeName(zone("captured", 1, []), 0, voice)).toBe("Aki: captures");
    expect(placeName(zone("hand", 0, []), null, voice)).toBe("Player 1: hand");
    expect(placeName(zone("field", null, []), 0, voice)).toBe("Field");
  });

  it("is read with its cards, face-down ones as a number", () => {
    expect(spokenZone(zone("field", null, ["8O", "8K"]), 0, voice)).toBe("Field, 2: 8 of coins, 8 of cups");
    expect(spokenZone(zone("field", null, ["8O", "8I", "8O"]), 0, voice)).toBe("Field, 3: 8 of coins ×2, 8 of swords");
    expect(spokenZone(zone("hand", 1, [null, null]), 0, voice)).toBe("Aki: hand, 2: 2 cards face down");
    expect(spokenZone(zone("hand", 1, ["8O", null]), 0, voice)).toBe("Aki: hand, 2: 8 of coins; 1 card face down");
    expect(spokenZone(zone("captured", 0, []), 0, voice)).toBe("Your captures: no cards");
  });

  it("announces its stake, that it is hidden, and a card under a cloth", () => {
    expect(spokenZone({ ...zone("hand", 1, [null]), stake: 20 }, 0, voice)).toBe("Aki: hand, 1: 1 card face down; 20 staked");
    expect(spokenZone({ ...zone("hand", 1, []), count: null }, 0, voice)).toBe("Aki: hand: hidden");
    expect(spokenZone({ ...zone("field", null, [null]), layout: "cloth" }, 0, voice)).toBe("Field, 1: 1 card under the cloth");
  });

  it("is the viewer's own when hands are read, and everyone's for spectators", () => {
    const zones = [zone("hand", 0, ["8O"]), zone("hand", 1, [null]), zone("captured", 0, ["8K"])];
    expect(spokenPlaces({ zones, you: 0 } as View, "hand", 0, voice)).toBe("Your hand, 1: 8 of coins");
    // In a replay it is the hand of the seat's player.
    expect(spokenPlaces({ zones, you: 0 } as View, "hand", null, voice)).toBe("Player 1: hand, 1: 8 of coins");
    expect(spokenPlaces({ zones, you: null } as View, "hand", null, voice)).toContain("Aki: hand, 1: 1 card face down");
  });

  it("is read with the amounts in the middle among the common zones", () => {
    const view = { zones: [zone("field", null, ["8O"])], you: 0, middle: { pot: 3 } } as unknown as View;
    expect(spokenPlaces(view, "field", 0, voice)).toBe("Field, 1: 8 of coins. Pot: 3");
    expect(spokenPlaces(view, "hand", 0, voice)).toBe("There are no cards.");
  });

  it("is named in the current language", async () => {
    await say("ja");
    expect(placeName(zone("captured", 0, []), 0, voice)).toBe("あなたのcaptures");
    expect(spokenCard("8I", voice, { worths, legal: legal("8I", ["8O"]) })).toContain("1点。8 of coinsを取る");
    await say("en");
  });
});
