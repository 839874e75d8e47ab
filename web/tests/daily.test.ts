import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { bins, cut, middle, note, noted, placed, play } from "../src/daily/daily";
import type { DailyEve } from "../src/wire";

const spread = [
  { points: -9, times: 1 },
  { points: 0, times: 3 },
  { points: 21, times: 2 },
];

test.each([1, 2, 6, 15, 31, 99])("every try stands in one of at most %d bars", (most) => {
  const found = bins(spread, 21, most);
  expect(found.length).toBeLessThanOrEqual(most);
  expect(found.reduce((sum, { times }) => sum + times, 0)).toBe(6);
  expect(found.filter(({ own }) => own)).toHaveLength(1);
  expect(found.every(({ from }, at) => at === 0 || from === (found[at - 1]?.to ?? 0) + 1)).toBe(true);
});

test("a single try is one bar, and no bar is marked without the player's own try", () => {
  expect(bins([{ points: 4, times: 1 }], 4, 15)).toEqual([{ from: 4, to: 4, times: 1, own: true }]);
  expect(bins(spread, null, 15).some(({ own }) => own)).toBe(false);
});

test("the median result", () => {
  expect(middle(spread)).toBe(0);
  expect(
    middle([
      { points: 1, times: 1 },
      { points: 5, times: 1 },
    ]),
  ).toBe(5);
  expect(middle([])).toBe(0);
});

class Shelf {
  kept = new Map<string, string>();
  getItem = (key: string): string | null => this.kept.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.kept.set(key, value);
}

const eve = (day: string, commitment: string): DailyEve => ({
  day,
  closes_at: 0,
  commitments: { mushi: commitment },
  cuts: 0,
  yours: null,
});

test("a deal is compared with its first noted commitment", () => {
  const shelf = new Shelf();
  expect(noted({ day: "2026-11-24", game: "mushi" }, shelf)).toBeNull();
  note(eve("2026-11-24", "one"), shelf);
  note(eve("2026-11-24", "two"), shelf);
  expect(noted({ day: "2026-11-24", game: "mushi" }, shelf)).toBe("one");
  expect(noted({ day: "2026-11-24", game: "isuri" }, shelf)).toBeNull();
  for (const day of ["2026-11-25", "2026-11-26", "2026-11-27", "2026-11-28"]) note(eve(day, day), shelf);
  expect(noted({ day: "2026-11-24", game: "mushi" }, shelf)).toBeNull();
  expect(noted({ day: "2026-11-28", game: "mushi" }, shelf)).toBe("2026-11-28");
});

test("foreign content of the storage is ignored", () => {
  const shelf = new Shelf();
  for (const content of ["{", "7", "null", '"x"']) {
    shelf.kept.set("mekuri-daily", content);
    expect(noted({ day: "2026-11-24", game: "mushi" }, shelf)).toBeNull();
  }
});

// --- Asking ---

beforeEach(() => {
  vi.stubGlobal("localStorage", { getItem: () => "known", setItem: () => {}, removeItem: () => {} });
  vi.stubGlobal("document", { cookie: "" });
});
afterEach(() => vi.unstubAllGlobals());

test("a deleted guest becomes a new one, and the request is repeated", async () => {
  const asked: string[] = [];
  const answers = [401, 201, 200, 200];
  vi.stubGlobal("fetch", async (path: string, { method }: RequestInit) => {
    asked.push(`${method} ${path}`);
    const status = answers.shift() ?? 500;
    return { ok: status < 400, status, url: path, headers: new Headers(), json: async () => ({ id: "t" }) };
  });
  expect(await play("a game")).toEqual({ id: "t" });
  await cut({ day: "2026-11-25", cut: "tsuru" });
  expect(asked).toEqual(["POST /api/daily/a%20game", "POST /api/guests", "POST /api/daily/a%20game", "POST /api/daily"]);
});

test("the rank among all tries, and ties", () => {
  expect(placed(spread, 21)).toEqual({ rank: 1, tied: true });
  expect(placed(spread, 0)).toEqual({ rank: 3, tied: true });
  expect(placed(spread, -9)).toEqual({ rank: 6, tied: false });
});
