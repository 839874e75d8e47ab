import { describe, expect, it, vi } from "vitest";
import type { Voice } from "../src/lib/voice";
import type { Table, View } from "../src/wire";

let lang = "en";
vi.mock("../src/lib/language.svelte", () => ({ language: () => lang, say: (key: string) => key }));

const { clock, when } = await import("../src/turns/until");

describe("the deadline of a table", () => {
  const now = new Date(2026, 10, 24, 9, 0).getTime();
  const near = new Date(2026, 10, 27, 14, 5).getTime();
  const far = new Date(2026, 11, 8, 14, 5).getTime();

  it("is a weekday and an hour while that is clear", () => {
    lang = "en";
    expect(when(near, now)).toMatch(/^Friday 2:05\sPM$/);
    lang = "ja";
    expect(when(near, now)).toBe("金曜日 14:05");
  });

  it("is a date further away", () => {
    lang = "en";
    expect(when(far, now)).toMatch(/^December 8 2:05\sPM$/);
    lang = "ja";
    expect(when(far, now)).toBe("12月8日 14:05");
  });
});

describe("the line of a table with days a move", () => {
  const voice = { player: (seat: number) => `seat ${seat}`, entry: () => " and " } as unknown as Voice;
  const seats = [{ kind: "person" }, { kind: "person" }, { kind: "bot" }];
  const line = (you: number | null, waiting: number[], due: number | null = 1, late = "bot"): string =>
    clock({ you, term: { days: 3, late }, head: { seats } } as Table, { waiting, due } as View, voice);

  it("has the consequence of the viewer's silence", () => {
    expect(line(0, [0, 1])).toBe("table.until-bot");
    expect(line(0, [0], 1, "end")).toBe("table.until-end");
  });

  it("has the others' deadline, and that the page can be closed", () => {
    expect(line(0, [1])).toContain("table.until-they-bot");
    expect(line(0, [1])).toContain("table.may-go");
    expect(line(null, [1], 1, "end")).toBe("table.until-they-end");
  });

  it("is empty if no person is waited for", () => {
    expect(line(0, [2])).toBe("");
    expect(line(0, [0], null)).toBe("");
  });
});
