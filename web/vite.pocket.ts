// Builds the workers and the first script of a page without a server, beside which `tools/build_page.py` puts the files of Pyodide.

import { defineConfig } from "vite";

export default defineConfig({
  publicDir: false,
  build: {
    outDir: "../src/mekuri/pocket/files", // part of the Python package
    emptyOutDir: true,
    target: "baseline-widely-available",
    lib: {
      entry: ["early", "offline", "worker"].map((name) => `src/pocket/${name}.ts`),
      formats: ["es"],
      fileName: (_, name) => `${name}.js`,
    },
  },
});
