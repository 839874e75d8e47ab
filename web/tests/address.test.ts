import { afterEach, expect, test, vi } from "vitest";
import { decoded, seenAs } from "../src/lib/address";

afterEach(() => vi.unstubAllGlobals());

test("an address is read as it is meant, and one that means nothing as it stands", () => {
  expect(decoded("%E5%BD%B9")).toBe("役");
  expect(decoded("%E0")).toBe("%E0");
});

test("an address is shared under the name that people see the server by", () => {
  const here = "http://localhost:8413/t/x#2";
  expect(seenAs(here, "https://mekuri.example")).toBe("https://mekuri.example/t/x#2");
  expect(seenAs(here, null)).toBe(here);
  expect(seenAs(here, undefined)).toBe(here);
});

test("one that means nothing breaks no page", async () => {
  vi.stubGlobal("location", { pathname: "/t/%E0", search: "", hash: "#%" });
  vi.stubGlobal("addEventListener", () => {});
  vi.stubGlobal("history", { state: null });
  const { here } = await import("../src/lib/route.svelte");
  expect(here().hash).toBe("%");
});
