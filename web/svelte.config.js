import { readdirSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

// The names of scoped styles stand in every element: a component's is its place among all files, which is short.
const source = fileURLToPath(new URL("src", import.meta.url));
const files = readdirSync(source, { recursive: true }).sort();

/** The name of the styles of a component. */
function cssHash({ hash, css, filename }) {
  const place = files.indexOf(relative(source, filename ?? ""));
  return `s${place < 0 ? hash(css) : place.toString(36)}`;
}

export default { preprocess: vitePreprocess(), compilerOptions: { runes: true, cssHash } };
