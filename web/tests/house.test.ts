import { expect, it } from "vitest";
import "./stubs";
import type { GameInfo } from "../src/wire";

const { houseRules, nearest, rulesLine } = await import("../src/table/house");
const { speak } = await import("../src/lib/language.svelte");
const { rulesOf } = await import("../src/lib/address");

const option = (name: string, value_texts = {}) => ({
  name,
  title: { en: name },
  value_texts,
  default: "",
});
const game = {
  id: "mushi",
  options: [option("redeal", { yes: { en: "Deal again" } }), option("points")],
  match_options: [{ ...option("rounds"), default: "12" }, option("winner")],
  presets: [
    { id: "default", name: { en: "Standard" }, options: {}, match_options: {} },
    { id: "old", name: { en: "Old" }, options: { redeal: "yes", points: "3" }, match_options: { rounds: "3" } },
  ],
} as unknown as GameInfo;

it("house rules are the options that differ, with their values in words", () => {
  const table = { options: { points: "3", redeal: "yes" }, match_options: { rounds: "6", winner: "last" }, length: 6 };
  expect(houseRules(game, table)).toEqual([
    { name: "redeal", title: "redeal", value: "Deal again" },
    { name: "points", title: "points", value: "3" },
    { name: "winner", title: "winner", value: "last" },
  ]);
  expect(houseRules(game, { options: {}, match_options: { rounds: "6" }, length: 6 })).toEqual([]);
});

const table = (options: Record<string, string>, match_options: Record<string, string> = {}) => ({
  options,
  match_options,
  length: Number(match_options["rounds"] ?? 12),
});

it("the preset of a table is that from which the fewest options differ, whatever the number of rounds", () => {
  expect(nearest(game, table({ points: "3", redeal: "yes" }, { rounds: "7" }))?.id).toBe("old");
  expect(nearest(game, table({ points: "4", redeal: "yes" }))?.id).toBe("old");
  expect(nearest(game, table({ points: "4" }))?.id).toBe("default");
  expect(nearest(game, table({}, { rounds: "3" }))?.id).toBe("default");
});

it("one line names the preset and what differs from it", async () => {
  await speak();
  expect(rulesLine(game, table({}))).toBe("Standard");
  expect(rulesLine(game, table({ points: "3", redeal: "yes" }))).toBe("Old");
  expect(rulesLine(game, table({ redeal: "yes" }, { winner: "last" }))).toBe("Standard · redeal: Deal again · winner: last");
  expect(rulesLine(game, table({ points: "4", redeal: "yes" }))).toBe("Old · points: 4");
});

it("the rule book's address has the options of the table", () => {
  expect(rulesOf({ game: "mushi", options: {}, match_options: {} })).toBe("/rules/mushi");
  const table = { game: "mushi", options: { redeal: "yes" }, match_options: { rounds: "1,2" } };
  expect(rulesOf(table)).toBe("/rules/mushi?redeal=yes&rounds=1%2C2");
});
