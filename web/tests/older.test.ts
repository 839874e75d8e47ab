// This page reads the stored data of earlier ones.

import { readFile } from "node:fs/promises";
import { expect, test, vi } from "vitest";
import "./stubs";

test("settings, the guest's mark and notes of tables", async () => {
  const kept = JSON.parse(await readFile("../tests/older/first/page.json", "utf8")) as Record<string, unknown>;
  const shelf = new Map(
    Object.entries(kept).map(([key, value]) => [key, typeof value === "string" ? value : JSON.stringify(value)]),
  );
  vi.stubGlobal("localStorage", { getItem: (key: string) => shelf.get(key) ?? null, setItem: () => {} });
  const { settings } = await import("../src/lib/settings.svelte");
  const { isGuest } = await import("../src/lib/api");
  const { noted } = await import("../src/table/fair");
  expect(settings).toMatchObject(kept["mekuri"] as object);
  expect(isGuest()).toBe(true);
  const tables = kept["mekuri-fair"] as Record<string, { commitment: string }>;
  for (const [table, { commitment }] of Object.entries(tables)) expect(noted(table)?.commitment).toBe(commitment);
});
