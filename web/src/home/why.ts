// Errors, in the reader's language.

import { catalogue, Refused } from "../lib/api";
import { fill, language, say } from "../lib/language.svelte";

/** Return the server's refusal, or that it is unreachable. The texts stand in the catalogue of any game. */
export async function why(error: unknown, game: string): Promise<string> {
  if (!(error instanceof Refused)) return say("home.unreachable");
  const { text, message } = error.problem;
  try {
    const words = (await catalogue(game, language())).texts["errors"] ?? {};
    const known = words[text.id.slice(text.id.indexOf(".") + 1)];
    const args = Object.entries(text.args ?? {}).map(([name, value]) => [name, String(value)]);
    return known ? fill(known, Object.fromEntries(args)) : message;
  } catch {
    return message;
  }
}
