// Builds the workers of a page without a server, beside which `tools/build_page.py` puts the files of Pyodide.

import { defineConfig } from "vite";

export default defineConfig({
  publicDir: false,
  build: {
    outDir: "../src/mekuri/pocket/files", // part of the Python package
    emptyOutDir: true,
    target: "baseline-widely-available",
    lib: { entry: ["src/pocket/worker.ts", "src/pocket/offline.ts"], formats: ["es"], fileName: (_, name) => `${name}.js` },
  },
});
