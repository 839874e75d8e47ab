import { afterEach, expect, test, vi } from "vitest";

afterEach(() => vi.unstubAllGlobals());

test("an address that means nothing is read as it stands, and breaks no page", async () => {
  vi.stubGlobal("location", { pathname: "/t/%E0", search: "", hash: "#%" });
  vi.stubGlobal("addEventListener", () => {});
  const { decoded, here } = await import("../src/lib/route.svelte");
  expect(here().hash).toBe("%");
  expect(decoded("%E0")).toBe("%E0");
  expect(decoded("%E5%BD%B9")).toBe("役");
});
