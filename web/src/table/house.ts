// The house rules of a table: the options that differ from their defaults.

import { localized } from "../lib/language.svelte";
import type { GameInfo, Preset, Table } from "../wire";

export interface HouseRule {
  name: string; // of the option
  title: string;
  value: string;
}

type Chosen = Pick<Table, "options" | "match_options" | "length">;

/** Return the options that differ from their defaults, with values in words. The number of rounds is shown elsewhere. */
export function houseRules(game: GameInfo, { options, match_options, length }: Chosen): HouseRule[] {
  return [...game.options, ...game.match_options].flatMap((option) => {
    const value = options[option.name] ?? match_options[option.name];
    if (value === undefined || (value === `${length}` && game.match_options.includes(option))) return [];
    const text = option.value_texts[value];
    return [{ name: option.name, title: localized(option.title), value: text ? localized(text) : value }];
  });
}

/** Return the preset with exactly these options for a round; undefined if all have default values, or if no preset has them. */
export function presetOf(game: GameInfo, { options }: Pick<Chosen, "options">): Preset | undefined {
  const all = (values: Record<string, string>): string => JSON.stringify(Object.entries(values).sort());
  return Object.keys(options).length ? game.presets.find((preset) => all(preset.options) === all(options)) : undefined;
}
