import { expect, test } from "vitest";
import { fitted } from "../src/lib/names";

const typed = new Event("input");
const FAMILY = "👩\u200d👩\u200d👧\u200d👦";

test("a name has the server's longest length, in grapheme clusters", () => {
  for (const sign of ["a", "e\u0301", "鶴", FAMILY, "🇯🇵"]) {
    expect(fitted(sign.repeat(24), typed)).toBe(sign.repeat(24));
    expect(fitted(sign.repeat(30), typed)).toBe(sign.repeat(24));
  }
});

test("text during composition is unchanged", () => {
  const composing = Object.assign(new Event("input"), { isComposing: true });
  expect(fitted("a".repeat(30), composing)).toBe("a".repeat(30));
});
