// Two presets side by side, with their differences.

import type { Catalogue, GameInfo, Option, Preset } from "../wire";
import { valueText } from "./book";

/** An option with its value in each preset. */
export interface Row {
  option: Option;
  values: [string, string];
  differ: boolean;
}

/** Return the values of two presets, option by option. */
export function besides(game: GameInfo, presets: readonly [Preset, Preset], catalogue: Catalogue): Row[] {
  return [...game.options, ...game.match_options].map((option) => {
    const chosen = presets.map(({ options, match_options }) => {
      const given: Record<string, string> = { ...options, ...match_options };
      return given[option.name] ?? option.default;
    });
    const [one = "", other = ""] = chosen.map((value) => valueText(option, value, catalogue));
    return { option, values: [one, other], differ: chosen[0] !== chosen[1] };
  });
}

/** Return the two presets of an address; a missing one is filled from the game's first two. */
export function named(game: GameInfo, search: URLSearchParams): [Preset, Preset] | null {
  const find = (key: string, or: number): Preset | undefined =>
    game.presets.find(({ id }) => id === search.get(key)) ?? game.presets[or] ?? game.presets[0];
  const [one, other] = [find("of", 0), find("with", 1)];
  return one && other ? [one, other] : null;
}
