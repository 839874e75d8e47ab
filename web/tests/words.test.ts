import { expect, it } from "vitest";
import "./stubs";
import type { Catalogue, Event, Review } from "../src/wire";

const { Voice } = await import("../src/lib/voice");
const { speak } = await import("../src/lib/language.svelte");
const { summed } = await import("../src/review/words");

await speak();

const texts = {
  endings: { over: "A player stopped" },
  results: { "won-by": "{seat} wins. {yaku} decided it.", won: "{seat} wins." },
};
const catalogue = {
  game: "game",
  lang: "en",
  texts,
  cites: {},
  clauses: {},
  yaku: { set: { id: "set", name: "A set" } },
  names: {},
} as unknown as Catalogue;
const pack = { id: "seed", title: {}, drawn: "ise", sprite: "/cards/ise.svg", art: "/cards/ise.svg" };
const voice = new Voice(catalogue, pack, ["Aki", "Ben"]);

/** The sentence in the summary of a review on how the round ended. */
function ended(id: string, args: Record<string, string | number>): string {
  const view = { brings: [{ points: 5 }, { points: 0 }], ending: "over", result: { id: `results.${id}`, args } };
  return summed({ moments: [], result: 5, verdict: "won-idle" } as unknown as Review, [{ view } as unknown as Event], voice).ended;
}

it("the summary of a review names the yaku that decided, else the ending", () => {
  expect(ended("won-by", { seat: 0, yaku: "set" })).toBe("Aki wins. A set decided it.");
  expect(ended("won", { seat: 0 })).toContain("A player stopped");
});
