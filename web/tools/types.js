// Writes src/wire.d.ts, the types of the messages, from the schema that the server's own structs make.
// `--check` writes nothing and fails if the file differs from the schema.

import { readFile, writeFile } from "node:fs/promises";
import { compile } from "json-schema-to-typescript";

const SCHEMA = new URL("../../docs/view.schema.json", import.meta.url);
const TYPES = new URL("../src/wire.d.ts", import.meta.url);
const BANNER =
  "// Made by `npm run types` from docs/view.schema.json, where docs/view.md tells what everything means. Not written by hand.";

/** A reference may stand beside a description, and each description would then make a type of its own. */
function bare(schema) {
  if (Array.isArray(schema)) return schema.map(bare);
  if (schema === null || typeof schema !== "object") return schema;
  if ("$ref" in schema) return { $ref: schema.$ref };
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, bare(value)]));
}

const schema = bare(JSON.parse(await readFile(SCHEMA, "utf8")));
const types = await compile(schema, "Wire", {
  additionalProperties: false,
  bannerComment: BANNER,
  unreachableDefinitions: true,
  style: { printWidth: 132 },
});

if (!process.argv.includes("--check")) {
  await writeFile(TYPES, types);
} else if (types !== (await readFile(TYPES, "utf8"))) {
  console.error("src/wire.d.ts is older than docs/view.schema.json: npm run types");
  process.exit(1);
}
