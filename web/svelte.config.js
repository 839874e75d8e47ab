import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

// The names of scoped styles stand in every element: they are short.
const cssHash = ({ hash, css }) => `s${hash(css).slice(0, 5)}`;

export default { preprocess: vitePreprocess(), compilerOptions: { runes: true, cssHash } };
