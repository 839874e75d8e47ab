// The screen of each address. All but the first two are loaded on demand.

import type { Component } from "svelte";
import Home from "../screens/Home.svelte";
import { decoded } from "./address";
import { pocket, shared } from "./reach";

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- nothing else fits the props of every screen
export type Screen = Component<any>; // the props are the parts of the address

interface Found {
  screen: () => Promise<Screen>;
  args: Record<string, string>;
}

const screens: [pattern: string, screen: () => Promise<Screen>][] = [
  ["/", async () => Home],
  ["/new/:game", async () => (await import("../screens/NewTable.svelte")).default],
  ["/t/:id", async () => (await (pocket ? shared() : import("../screens/Table.svelte"))).default],
  ["/t/:id/rounds/:round", async () => (await import("../screens/Replay.svelte")).default],
  ["/t/:id/rounds/:round/review", async () => (await import("../screens/Review.svelte")).default],
  ["/rules", async () => (await import("../screens/Rules.svelte")).default],
  ["/rules/:game", async () => (await import("../screens/RuleBook.svelte")).default],
  ["/rules/:game/presets", async () => (await import("../screens/Presets.svelte")).default],
  ["/learn/:game", async () => (await import("../screens/Learn.svelte")).default],
  ["/settings", async () => (await import("../screens/Settings.svelte")).default],
  ["/matches", async () => (await import("../screens/Matches.svelte")).default],
  ["/practice", async () => (await import("../screens/Practice.svelte")).default],
  ["/puzzles/:game", async () => (await import("../screens/Puzzles.svelte")).default],
  ["/daily", async () => (await import("../screens/Daily.svelte")).default],
  ["/you", async () => (await import("../screens/You.svelte")).default],
];

/** Return the screen of an address, and the parts of the address that become its props. */
export function find(path: string): Found {
  for (const [pattern, screen] of screens) {
    const args = match(pattern, path);
    if (args) return { screen, args };
  }
  return { screen: async () => (await import("../screens/NotFound.svelte")).default, args: {} };
}

/** Return the named parts of a path; null if it does not match the pattern. */
function match(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split("/");
  const given = path.replace(/(.)\/$/, "$1").split("/");
  if (wanted.length !== given.length) return null;
  const args: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? "";
    if (part.startsWith(":") && value) args[part.slice(1)] = decoded(value);
    else if (part !== value) return null;
  }
  return args;
}
