import { expect, it } from "vitest";

const components: Record<string, string> = import.meta.glob("../src/**/*.svelte", {
  query: "?raw",
  import: "default",
  eager: true,
});

it("a component styles nothing but its own elements", () => {
  expect(Object.keys(components).length).toBeGreaterThan(90);
  const reaching = Object.entries(components).filter(([, text]) => text.includes(":global("));
  expect(reaching.map(([path]) => path)).toEqual([]);
});
