import { expect, test } from "vitest";
import { byNumber, byWork, holds, languageOf, moved, pieces, sections, steps } from "../src/rules/book";
import { besides, named } from "../src/rules/presets";
import { foundIn } from "../src/rules/search";
import type { Catalogue, Chapter, ClauseText, GameInfo, Option, Preset, RuleBook, SourceRow, Zone } from "../src/wire";

const chapter = (id: string): Chapter => ({ id, title: id, clauses: [] });
const zone = (id: string, cards: (string | null)[]): Zone => ({
  id,
  owner: null,
  kind: "field",
  layout: "row",
  cards,
  count: cards.length,
});
const source = (work: string, says: string): SourceRow => ({ work, title: work, place: "", ordinal: 1, says, second_hand: "" });
const clause = (text: string, why: string): ClauseText => ({
  id: "game.play.turn",
  text,
  why,
  status: "house",
  options: [],
  sources: [],
  examples: [],
});

test("a chapter that is taken up again has an anchor of its own", () => {
  const found = sections([chapter("match"), chapter("play"), chapter("match"), chapter("match")]);
  expect(found.map((each) => each.anchor)).toEqual(["chapter-match", "chapter-play", "chapter-match-2", "chapter-match-3"]);
  expect(found.map((each) => each.again)).toEqual([false, false, true, true]);
});

test("cards stand by their numbers, and the extra card by itself", () => {
  expect(byNumber(["1H", "1K", "12O", "G"])).toEqual([
    { number: "1", cards: ["1H", "1K"] },
    { number: "12", cards: ["12O"] },
    { number: "", cards: ["G"] },
  ]);
});

test("a clause is found by all the words together, wherever they stand in it", () => {
  const one = clause("The Dealer plays first.", "So it is elsewhere.");
  expect(holds(one, "dealer elsewhere")).toBe(true);
  expect(holds(one, " play.turn ")).toBe(true);
  expect(holds(one, "dealer second")).toBe(false);
});

test("sources of one work stand together, in the order in which they come", () => {
  const found = byWork([source("a", "1"), source("b", "2"), source("a", "3")]);
  expect(found.map(([work, rows]) => [work, rows.map((row) => row.says)])).toEqual([
    ["a", ["1", "3"]],
    ["b", ["2"]],
  ]);
});

test("actions are listed step by step, with named seats", () => {
  expect(steps("7I 0:two 1:decline")).toEqual([
    { seat: null, action: "7I" },
    { seat: 0, action: "two" },
    { seat: 1, action: "decline" },
  ]);
  expect(steps("")).toEqual([]);
});

test("cards in another place, or face down before, have moved", () => {
  const before = [zone("hand", ["7I", "2H"]), zone("field", ["7O", "1K"]), zone("stock", [null])];
  const after = [zone("hand", ["2H"]), zone("field", ["1K", "12K"]), zone("captured", ["7I", "7O"])];
  expect(moved(before, after)).toEqual(["12K", "7I", "7O"]);
});

test("the same zone of another owner is another place", () => {
  const of = (owner: number, cards: string[]): Zone => ({ ...zone("pile", cards), owner });
  expect(moved([of(0, ["7I"]), of(1, [])], [of(0, []), of(1, ["7I"])])).toEqual(["7I"]);
});

test("addresses in a text are links, without the marks around them", () => {
  expect(pieces("GitHub a/b; https://example.org/x, p. 3")).toEqual([
    { text: "GitHub a/b; ", address: null },
    { text: "https://example.org/x", address: "https://example.org/x" },
    { text: ", p. 3", address: null },
  ]);
  expect(pieces("a book").map((piece) => piece.address)).toEqual([null]);
});

test("a title is Japanese where it has Japanese letters", () => {
  expect(languageOf("天正かるた")).toBe("ja");
  expect(languageOf("Hana-Awase")).toBe("en");
});

test("all books are searched: clauses, yaku and short forms", () => {
  const book = {
    game: "game",
    name: "Game",
    chapters: [{ ...chapter("play"), clauses: [clause("The Dealer plays first.", "")] }],
    yaku: [{ name: "The Three", kana: "さんこう", reading: "sanko" }],
    short: [{ title: "A turn", text: "The dealer begins.", cards: [], clauses: [] }],
  } as unknown as RuleBook;
  expect(foundIn(book, "dealer").map(({ anchor }) => anchor)).toEqual(["game.play.turn", "short"]);
  expect(foundIn(book, "SANKO").map(({ title }) => title)).toEqual(["The Three"]);
  expect(foundIn(book, "dealer sanko")).toEqual([]);
});

test("two presets are compared option by option, missing ones by default", () => {
  const option = (name: string): Option => ({ name, default: "no", value_texts: {} }) as unknown as Option;
  const preset = (id: string, options: Record<string, string>, match_options = {}): Preset =>
    ({ id, text: {}, options, match_options }) as Preset;
  const presets = [preset("default", {}), preset("first", { short: "yes" }, { rounds: "1" }), preset("same", { open: "no" })];
  const game = { options: [option("open"), option("short")], match_options: [option("rounds")], presets } as unknown as GameInfo;
  const catalogue = { texts: {} } as Catalogue;
  const differing = (search: string): string[] => {
    const two = named(game, new URLSearchParams(search));
    return two ? besides(game, two, catalogue).flatMap((row) => (row.differ ? [row.option.name, ...row.values] : [])) : [];
  };
  expect(differing("")).toEqual(["short", "no", "yes", "rounds", "no", "1"]);
  expect(differing("of=default&with=same")).toEqual([]);
  expect(differing("of=nothing&with=nothing")).toEqual(["short", "no", "yes", "rounds", "no", "1"]);
});
