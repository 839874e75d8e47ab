// Stand-ins for the browser: enough for texts and rendered components.

import { vi } from "vitest";

vi.stubGlobal("document", { documentElement: { lang: "" } });
// The texts of the page are files that it fetches.
vi.stubGlobal("fetch", async (path: string) => {
  const { readFile } = await import("node:fs/promises");
  return new Response(await readFile(`.${path}`));
});
vi.stubGlobal("navigator", { languages: ["en"] });
vi.stubGlobal("addEventListener", () => {});
vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => {} }));
vi.stubGlobal("innerWidth", 1280);
vi.stubGlobal("innerHeight", 720);
