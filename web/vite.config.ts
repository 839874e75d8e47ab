import { readFileSync } from "node:fs";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const server = process.env["MEKURI"] ?? "http://127.0.0.1:8413"; // where `mekuri serve` listens
const proxy = { target: server, changeOrigin: false }; // the server refuses what comes from pages of another address

// Parts of a table that are loaded when they are wanted.
const LATER = [
  ...[
    "again",
    "Away",
    "CardInfo",
    "check",
    "Decision",
    "Fair",
    "House",
    "house",
    "Install",
    "install",
    "Unusual",
    "KeysHelp",
    "Log",
    "Moment",
    "Open",
    "over",
    "Meanings",
    "Panel",
    "Panels",
    "Played",
    "Result",
    "Said",
    "Saying",
    "Seal",
    "Settlement",
  ],
  ...[
    "Sheet",
    "Slow",
    "Spread",
    "Steps",
    "motion",
    "flight",
    "movement",
    "paid",
    "parts",
    "Standings",
    "standings",
    "replay",
    "outcome",
    "ending",
    "seal",
    "settlement",
    "Stamp",
    "Wish",
  ],
];

// A system that installs the page shows pictures of the documents.
const screenshots: Plugin = {
  name: "screenshots",
  generateBundle() {
    const manifest = JSON.parse(readFileSync("public/manifest.webmanifest", "utf-8")) as { screenshots: { src: string }[] };
    for (const { src } of manifest.screenshots) {
      this.emitFile({ type: "asset", fileName: src.slice(1), source: readFileSync(`../docs${src}`) });
    }
  },
};

export default defineConfig({
  plugins: [svelte(), screenshots],
  // A site without a server may lie at any path: scripts name other files by where they lie themselves.
  experimental: { renderBuiltUrl: (_, { hostType }) => (hostType === "html" ? undefined : { relative: true }) },
  build: {
    outDir: "../src/mekuri/server/page", // part of the Python package
    emptyOutDir: true,
    target: "baseline-widely-available",
    assetsInlineLimit: 0, // the server's policy loads files, and nothing that is written into others
    modulePreload: { polyfill: false },
    // Few files, for each costs a phone a question: what every screen needs, what a table needs, what is shown and heard of
    // great moments, how a game is learned, and each other screen.
    rolldownOptions: {
      output: {
        // The names of all files stand in the script that every screen needs, and digests do not compress.
        entryFileNames: "assets/[name]-[hash:6].js",
        chunkFileNames: "assets/[name]-[hash:6].js",
        assetFileNames: "assets/[name]-[hash:6][extname]",
        codeSplitting: {
          groups: [
            {
              name: "page",
              test: /node_modules(?!.*bindings\/select)|src\/(lib\/(?!synth|names|locks|summons|paper)|home\/(?=why|doing)|App|main)/,
            },
            { name: "table", test: new RegExp(`src/(table/(?!(${LATER.join("|")})\\.)|screens/Table)`) },
            { name: "welcome", test: /src\/home\/(welcome|Strip|Newcomer|Mat|lying|TableList|tables)/ },
            {
              name: "home",
              test: /src\/(home\/(?!PackChoice|YourName|Similar|called)|daily\/daily|practice\/practice|puzzles\/puzzles|matches\/played)/,
            },
            // Loaded together, once there is time: one name in the scripts above.
            {
              name: "parts",
              test: /src\/table\/(Moment|Result|Panels?|Sheet|Settlement|Log|Seal|CardInfo|Decision|KeysHelp|Spread|House|house|Install|install|Unusual|Meanings|Said|Stamp|Slow|parts)\./,
            },
            { name: "choices", test: /src\/home\/(PackChoice|YourName|Similar)/ }, // of few screens each: fewer names
            { name: "learn", test: /src\/learn/ },
            { name: "reasons", test: /src\/(coach\/[Ff]acts|review\/(words|Verdict))/ }, // in hints, reviews and puzzles
            { name: "words", test: /src\/coach\/(Terms|YakuCard)/ },
            { name: "pictures", test: /src\/(lib\/paper|review\/picture|table\/ending)/ },
          ],
        },
      },
    },
  },
  server: { proxy: { "/api": proxy, "/cards": proxy } },
  // A test that loads its module takes long on a busy machine: it fails only where it never ends.
  test: { include: ["tests/**/*.test.ts"], pool: "threads", testTimeout: 180_000 },
});
