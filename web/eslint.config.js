// Faults that neither the types nor the layout show. ./test runs it.

import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import ts from "typescript-eslint";

export default ts.config(
  { ignores: ["dist", ".svelte-check", "src/wire.d.ts"] }, // what is made
  js.configs.recommended,
  ts.configs.recommended,
  svelte.configs.recommended,
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser } },
  },
  {
    rules: {
      "no-undef": "off", // the type checker knows every name, and those of browsers and Node.js as well
      "svelte/no-useless-mustaches": "off", // a space at the end of a block can be written in no other way
      "svelte/prefer-svelte-reactivity": "off", // it reports every set, and most are never shown
    },
  },
);
