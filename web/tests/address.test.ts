import { afterEach, expect, test, vi } from "vitest";
import { decoded, seenAs } from "../src/lib/address";

afterEach(() => vi.unstubAllGlobals());

test("a part of an address is decoded, and a malformed one stays unchanged", () => {
  expect(decoded("%E5%BD%B9")).toBe("役");
  expect(decoded("%E0")).toBe("%E0");
});

test("an address is shared under the server's public address", () => {
  const here = "http://localhost:8413/t/x#2";
  expect(seenAs(here, "https://mekuri.example")).toBe("https://mekuri.example/t/x#2");
  expect(seenAs(here, null)).toBe(here);
  expect(seenAs(here, undefined)).toBe(here);
});

test("a malformed address breaks no page", async () => {
  vi.stubGlobal("location", { pathname: "/t/%E0", search: "", hash: "#%" });
  vi.stubGlobal("addEventListener", () => {});
  vi.stubGlobal("history", { state: null });
  const { here } = await import("../src/lib/route.svelte");
  expect(here().hash).toBe("%");
});
