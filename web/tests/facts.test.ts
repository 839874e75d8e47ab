import { expect, test } from "vitest";
import { cardsOf, split } from "../src/coach/facts";

const fact = (id: string, args = {}): { id: string; args: object } => ({ id: `facts.${id}`, args });

test("a hint is one sentence about cards, and all amounts stand behind a mark", () => {
  const facts = [fact("hangs"), fact("loses-taking"), fact("forgoes"), fact("better")] as Parameters<typeof split>[0];
  expect(split(facts, 1)).toEqual({ says: [facts[1]], others: [facts[0], facts[2], facts[3]] });
  expect(split(facts, 3).says).toEqual([facts[1], facts[2]]);
  for (const id of ["better", "better-wins", "worse", "hangs-on-it", "much-wins", "ahead", "why-cost", "why-open-cost"])
    expect(split([fact(id) as (typeof facts)[0]], 1).says).toEqual([]);
});

test("the cards that a sentence names are raised", () => {
  expect(cardsOf({ id: "facts.x", args: { card: "8H", cards: ["8I", "9I"], seat: 1 } })).toEqual(["8H", "8I", "9I"]);
  expect(cardsOf({ id: "facts.x" })).toEqual([]);
});
