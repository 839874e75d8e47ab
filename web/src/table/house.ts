// The house rules of a table: the options that differ from the usual ones.

import { told } from "../lib/language.svelte";
import type { GameInfo, Preset, Table } from "../wire";

export interface HouseRule {
  name: string; // of the option
  title: string;
  value: string;
}

type Chosen = Pick<Table, "options" | "match_options" | "length">;

/** The options that differ from the usual ones, with their values in words. How many rounds there are is told elsewhere. */
export function houseRules(game: GameInfo, { options, match_options, length }: Chosen): HouseRule[] {
  return [...game.options, ...game.match_options].flatMap((option) => {
    const value = options[option.name] ?? match_options[option.name];
    if (value === undefined || (value === `${length}` && game.match_options.includes(option))) return [];
    const text = option.value_texts[value];
    return [{ name: option.name, title: told(option.title), value: text ? told(text) : value }];
  });
}

/** The preset that chooses these very options for a round; undefined where they are the usual ones, or of no preset. */
export function presetOf(game: GameInfo, { options }: Pick<Chosen, "options">): Preset | undefined {
  const all = (values: Record<string, string>): string => JSON.stringify(Object.entries(values).sort());
  return Object.keys(options).length ? game.presets.find((preset) => all(preset.options) === all(options)) : undefined;
}
