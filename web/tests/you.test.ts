import { afterEach, expect, test, vi } from "vitest";

vi.mock("../src/lib/stream", () => ({ renew: () => {} }));

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

async function at(hash: string): Promise<{ code: string; address: unknown }> {
  const replaceState = vi.fn();
  vi.stubGlobal("location", { hash, pathname: "/you", origin: "https://mekuri.example" });
  vi.stubGlobal("history", { state: null, replaceState });
  vi.stubGlobal("navigator", { languages: ["en"] });
  const { broughtCode } = await import("../src/you/you");
  return { code: broughtCode(), address: replaceState.mock.calls[0]?.[2] };
}

test("a code in an address is read once and removed", async () => {
  expect(await at("#482109375526771904")).toEqual({ code: "482109375526771904", address: "/you" });
});

test.each(["", "#", "#482109375526", "#4821093755267719043", "#<script>"])("%s is no code", async (hash) => {
  expect(await at(hash)).toEqual({ code: "", address: undefined });
});

test("a drawing is one path, and a code is grouped in fours", async () => {
  const { inked, grouped } = await import("../src/you/you");
  expect(inked(["0110", "0000", "1011"])).toBe("M1 0h2v1h-2zM0 2h1v1h-1zM2 2h2v1h-2z");
  expect(grouped("482109375526771904")).toBe("482 109 375 526 771 904");
  expect(grouped("")).toBe("");
});
