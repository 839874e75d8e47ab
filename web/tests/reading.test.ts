import { describe, expect, it } from "vitest";
import { aboveKanji, cardsByName, cutAt } from "../src/lib/reading";
import type { CardNames } from "../src/wire";

/** A name as it is written with its reading in brackets. */
const written = (name: string, kana: string): string =>
  aboveKanji(name, kana)
    .map(({ text, above }) => (above ? `${text}(${above})` : text))
    .join("");

describe("a reading", () => {
  it("stands above kanji alone", () => {
    expect(written("松に鶴", "まつにつる")).toBe("松(まつ)に鶴(つる)");
    expect(written("青二", "あおに")).toBe("青二(あおに)");
    expect(written("オウルのスベタ一", "オウルのスベタいち")).toBe("オウルのスベタ一(いち)");
    expect(written("唇の二", "くちびるのに")).toBe("唇(くちびる)の二(に)");
  });

  it("does not stand above a name in kana", () => {
    expect(written("アザ", "アザ")).toBe("アザ");
  });

  it("has no signs of its own", () => {
    expect(written("松のカス・甲", "まつのカス・こう")).toBe("松(まつ)のカス・甲(こう)");
    expect(written("柳のカス（鬼）", "やなぎのカス・おに")).toBe("柳(やなぎ)のカス（鬼(おに)）");
  });

  it("stands above the whole name where the two cannot be laid side by side", () => {
    expect(written("松のカス", "まつのかす")).toBe("松のカス(まつのかす)");
  });
});

describe("words in which cards are named", () => {
  const names: CardNames = {
    title: "",
    cards: { "1I": "ピン", "1H": "ドロピン", "2H": "青二 (?)" },
    plain: {},
    kana: {},
    latin: {},
  };
  const cards = (text: string): string[] => cutAt(text, cardsByName(names)).flatMap(({ term }) => term ?? []);

  it("are cut at the names", () => {
    expect(cutAt("青二 (?)、2点。ピンを取る", cardsByName(names))).toEqual([
      { text: "" },
      { text: "青二 (?)", term: "2H" },
      { text: "、2点。" },
      { text: "ピン", term: "1I" },
      { text: "を取る" },
    ]);
  });

  it("are no part of a word in Latin letters", () => {
    const terms = new Map([["Go", 5]]);
    expect(cutAt("Go on: Gold, Go.", terms).flatMap(({ term }) => term ?? [])).toEqual([5, 5]);
  });

  it("have the longest name that fits", () => {
    expect(cards("ドロピンを取る")).toEqual(["1H"]);
  });

  it("may name none", () => {
    expect(cards("山札をめくる")).toEqual([]);
    expect(cutAt("ピン", cardsByName({ ...names, cards: {} }))).toEqual([{ text: "ピン" }]);
  });
});
