import { beforeEach, expect, test, vi } from "vitest";
import { address, following, note, solved } from "../src/puzzles/puzzles";
import type { Puzzle } from "../src/wire";

const kept = new Map<string, string>();
const puzzle = (game: string, id: string): Puzzle => ({ game, id }) as Puzzle;
const heads = ["a", "b", "c"].map((id) => ({ id, level: 1 }));

beforeEach(() => {
  kept.clear();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
});

test("solved puzzles are stored, once each, game by game", () => {
  expect(solved("one")).toEqual([]);
  expect(note(puzzle("one", "a"))).toEqual(["a"]);
  expect(note(puzzle("one", "b"))).toEqual(["a", "b"]);
  expect(note(puzzle("one", "a"))).toEqual(["a", "b"]);
  expect(note(puzzle("two", "c"))).toEqual(["c"]);
  expect(solved("one")).toEqual(["a", "b"]);
});

test.each(["{", "null", "7", "[]", '{"one": 7}', '{"one": [7, null]}'])(
  "foreign content of the storage is ignored: %s",
  (content) => {
    kept.set("mekuri-puzzles", content);
    expect(solved("one")).toEqual([]);
    expect(note(puzzle("one", "a"))).toEqual(["a"]);
    expect(solved("one")).toEqual(["a"]);
  },
);

test("storage may be forbidden", () => {
  vi.stubGlobal("localStorage", undefined);
  expect(solved("one")).toEqual([]);
  expect(note(puzzle("one", "a"))).toEqual(["a"]);
});

test("the next puzzle is the first unsolved one after it, then before it", () => {
  expect(following(heads, [])?.id).toBe("a");
  expect(following(heads, ["a"], "a")?.id).toBe("b");
  expect(following(heads, ["b"], "a")?.id).toBe("c");
  expect(following(heads, ["c"], "c")?.id).toBe("a");
  expect(following(heads, ["a", "b"], "c")).toBeUndefined();
  expect(following(heads, ["a", "b", "c"])).toBeUndefined();
});

test("a puzzle has an address of its own", () => {
  expect(address("one")).toBe("/puzzles/one");
  expect(address("one", "a")).toBe("/puzzles/one#a");
});
