import { render } from "svelte/server";
import { expect, it } from "vitest";
import type { Catalogue, Goal, Line, View } from "../src/wire";
import "./stubs";

const { Voice } = await import("../src/lib/voice");
const { speak } = await import("../src/lib/language.svelte");
const { default: Decision } = await import("../src/table/Decision.svelte");

await speak();

const texts = { lines: { set: "A set", more: "Twice as much" }, goals: { near: "Near", far: "Far", gone: "Gone" } };
const catalogue = { game: "game", lang: "en", texts, cites: {}, clauses: {}, yaku: {}, names: {} } as unknown as Catalogue;
const voice = new Voice(catalogue, { id: "seed", title: {}, drawn: "ise", sprite: "/cards/ise.svg", art: "/cards/ise.svg" });

const line = (seat: number, id: string, points: number): Line => ({
  seat,
  text: { id: `lines.${id}` },
  cards: [],
  points,
  clause: "",
});
const goal = (seat: number, id: string, has: number, needs: number, lost = false): Goal => ({
  seat,
  text: { id: `goals.${id}` },
  value: 5,
  needs,
  has,
  made: [],
  lacks: [],
  lost,
});

/** The text of the sheet, seat by seat. */
function shown(decision: Line[], goals: Goal[]): string[] {
  const view = { you: 1, decision, goals } as unknown as View;
  const seats = ["O-Kiku", "You"].map((name) => ({ name, note: "", waiting: false }));
  const html = render(Decision, { props: { view, voice, seats } }).body.replace(/<!--.*?-->/g, "");
  return html
    .split("<dt")
    .slice(1)
    .map((part) =>
      part
        .replace(/<style.*/s, "")
        .replace(/^[^>]*>|<[^>]*>/g, " ")
        .replace(/\s+/g, " ")
        .trim(),
    );
}

it("the sheet of a decision adds up what it brings, the viewer's first, and says what changes it later", () => {
  expect(shown([line(1, "set", 6), line(1, "set", 8), line(0, "more", 0)], [])).toEqual([
    "You A set 6 A set +8 = 14",
    "O-Kiku Twice as much",
  ]);
  expect(shown([line(1, "set", 6), line(1, "more", 0)], [])).toEqual(["You A set 6 Twice as much", "O-Kiku"]);
});

it("it shows what either side is close to, and nothing that is far, made or lost", () => {
  const goals = [
    goal(0, "near", 2, 3),
    goal(0, "far", 2, 5),
    goal(0, "gone", 2, 3, true),
    goal(1, "near", 3, 3),
    goal(1, "far", 0, 2),
  ];
  expect(shown([line(1, "set", 6)], goals)).toEqual(["You A set 6", "O-Kiku Near 2 of 3 2/3 +5"]);
});
