import { expect, it } from "vitest";
import "./stubs";
import type { GameInfo } from "../src/wire";

const { houseRules, presetOf } = await import("../src/table/house");
const { rulesOf } = await import("../src/lib/address");

const option = (name: string, value_texts = {}) => ({ name, title: { en: name }, value_texts });
const game = {
  id: "mushi",
  options: [option("redeal", { yes: { en: "Deal again" } }), option("points")],
  match_options: [option("rounds"), option("winner")],
  presets: [
    { id: "default", options: {} },
    { id: "old", options: { redeal: "yes", points: "3" } },
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

it("the options of a preset are known in any order", () => {
  expect(presetOf(game, { options: { points: "3", redeal: "yes" } })?.id).toBe("old");
  expect(presetOf(game, { options: { points: "3" } })).toBeUndefined();
  expect(presetOf(game, { options: {} })).toBeUndefined();
});

it("the rule book's address has the options of the table", () => {
  expect(rulesOf({ game: "mushi", options: {}, match_options: {} })).toBe("/rules/mushi");
  const table = { game: "mushi", options: { redeal: "yes" }, match_options: { rounds: "1,2" } };
  expect(rulesOf(table)).toBe("/rules/mushi?redeal=yes&rounds=1%2C2");
});
