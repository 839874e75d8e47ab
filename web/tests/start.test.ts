import { beforeEach, expect, test, vi } from "vitest";
import type { Table } from "../src/wire";

const page = vi.hoisted(() => ({ path: "/", go: vi.fn(), sit: vi.fn(), makeTable: vi.fn() }));

class Unreachable extends Error {}
vi.mock("../src/lib/api", () => ({ ...page, Unreachable, catalogue: async () => null, game: async () => null }));
vi.mock("../src/lib/language.svelte", () => ({ wanted: () => "en" }));
vi.mock("../src/lib/route.svelte", () => ({ go: page.go, here: () => ({ path: page.path }) }));
vi.mock("../src/lib/stream", () => ({ renew: () => {} }));
vi.mock("../src/screens/Table.svelte", () => ({}));
vi.mock("../src/table/fair", () => ({ note: () => {} }));

const { join, open, takeHanded } = await import("../src/lib/start");

const table = (you: number | null): Table => ({ id: "t", you }) as Table;

beforeEach(() => {
  vi.clearAllMocks();
  takeHanded("t");
  page.path = "/";
  page.makeTable.mockResolvedValue(table(null));
  page.sit.mockResolvedValue(table(1));
});

test("a table is made, entered in the chosen seat, and passed to its screen once", async () => {
  await open({ game: "g" }, 1);
  expect(page.sit).toHaveBeenCalledWith("t", expect.any(String), 1);
  expect(page.go).toHaveBeenCalledWith("/t/t");
  expect(takeHanded("t")).toEqual(table(1));
  expect(takeHanded("t")).toBeNull();
});

test("a retry after no answer gets the same table, a later request another one", async () => {
  page.makeTable.mockRejectedValueOnce(new Unreachable());
  await expect(open({ game: "g" })).rejects.toThrow(Unreachable);
  page.sit.mockRejectedValueOnce(new Unreachable());
  await expect(open({ game: "g" })).rejects.toThrow(Unreachable);
  await open({ game: "g" });
  await open({ game: "g" });
  page.makeTable.mockRejectedValueOnce(new Error("refused"));
  await expect(open({ game: "g" })).rejects.toThrow("refused");
  await open({ game: "g" });
  const keys = page.makeTable.mock.calls.map(([, key]) => String(key));
  const [first, second, third, ...others] = keys;
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect([second, third]).toEqual([first, first]);
  expect(new Set([first, ...others]).size).toBe(4);
});

test("a player who has gone elsewhere meanwhile is not called back", async () => {
  const joining = join(table(null));
  page.path = "/rules";
  await joining;
  expect(page.go).not.toHaveBeenCalled();
  expect(takeHanded("t")).toBeNull();
});
