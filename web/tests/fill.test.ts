import { expect, it } from "vitest";
import "./stubs";

const { fill } = await import("../src/lib/language.svelte");

it.each([
  [1, "1 card is"],
  ["+1", "+1 card is"],
  ["−1", "−1 card is"],
  [0, "0 cards are"],
  [11, "11 cards are"],
])("tells of %s in the form that goes with it", (n, expected) => {
  expect(fill("{n} {n:card is|cards are} left", { n })).toBe(`${expected} left`);
});

it("leaves placeholders without an argument", () => {
  expect(fill("{who}: {n} {note}", { n: 2 })).toBe("{who}: 2 {note}");
});
