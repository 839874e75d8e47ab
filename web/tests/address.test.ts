import { afterEach, expect, test, vi } from "vitest";
import { decoded } from "../src/lib/address";

afterEach(() => vi.unstubAllGlobals());

test("an address is read as it is meant, and one that means nothing as it stands", () => {
  expect(decoded("%E5%BD%B9")).toBe("役");
  expect(decoded("%E0")).toBe("%E0");
});

test("one that means nothing breaks no page", async () => {
  vi.stubGlobal("location", { pathname: "/t/%E0", search: "", hash: "#%" });
  vi.stubGlobal("addEventListener", () => {});
  const { here } = await import("../src/lib/route.svelte");
  expect(here().hash).toBe("%");
});
