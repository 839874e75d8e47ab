import { beforeEach, expect, test, vi } from "vitest";
import type { Table } from "../src/wire";

const page = vi.hoisted(() => ({ path: "/", go: vi.fn(), sit: vi.fn(), makeTable: vi.fn() }));

vi.mock("../src/lib/api", () => ({ ...page, catalogue: async () => null, games: async () => null }));
vi.mock("../src/lib/language.svelte", () => ({ wanted: () => "en" }));
vi.mock("../src/lib/route.svelte", () => ({ go: page.go, here: () => ({ path: page.path }) }));
vi.mock("../src/lib/stream", () => ({ renew: () => {} }));
vi.mock("../src/screens/Table.svelte", () => ({}));
vi.mock("../src/table/fair", () => ({ note: () => {} }));

const { join, open, takeHanded } = await import("../src/lib/start");

const table = (you: number | null): Table => ({ id: "t", you }) as Table;

beforeEach(() => {
  vi.clearAllMocks();
  page.path = "/";
  page.makeTable.mockResolvedValue(table(null));
  page.sit.mockResolvedValue(table(1));
});

test("a table is made, entered in the seat that was chosen, and handed to its screen once", async () => {
  await open({ game: "g" }, 1);
  expect(page.sit).toHaveBeenCalledWith("t", expect.any(String), 1);
  expect(page.go).toHaveBeenCalledWith("/t/t");
  expect(takeHanded("t")).toEqual(table(1));
  expect(takeHanded("t")).toBeNull();
});

test("whoever has gone elsewhere meanwhile is not called back", async () => {
  const joining = join(table(null));
  page.path = "/rules";
  await joining;
  expect(page.go).not.toHaveBeenCalled();
  expect(takeHanded("t")).toBeNull();
});
