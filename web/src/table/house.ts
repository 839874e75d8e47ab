// The rules of a table: the preset that its options are nearest to, and the options that differ.

import { localized, say } from "../lib/language.svelte";
import type { GameInfo, Preset, Table } from "../wire";

export interface HouseRule {
  name: string; // of the option
  title: string;
  value: string;
}

type Chosen = Pick<Table, "options" | "match_options" | "length">;

/** Return the options that differ from a preset, or from their defaults, with values in words. The number of rounds is shown elsewhere. */
export function houseRules(game: GameInfo, { options, match_options, length }: Chosen, preset?: Preset): HouseRule[] {
  const [chosen, base]: Record<string, string>[] = [
    { ...options, ...match_options },
    { ...preset?.options, ...preset?.match_options },
  ];
  return [...game.options, ...game.match_options].flatMap((option) => {
    const [value, usual] = [chosen, base].map((values) => values?.[option.name] ?? option.default);
    if (value === undefined || value === usual || (value === `${length}` && game.match_options.includes(option))) return [];
    const text = option.value_texts[value];
    return [{ name: option.name, title: localized(option.title), value: text ? localized(text) : value }];
  });
}

/** Return the preset from which the fewest options differ; of several, the first. */
export function nearest(game: GameInfo, chosen: Chosen): Preset | undefined {
  const apart = game.presets.map((preset) => houseRules(game, chosen, preset).length);
  return game.presets[apart.indexOf(Math.min(...apart))];
}

/** Return the rules of a table in one line: the name of the nearest preset, and the options that differ from it. */
export function rulesLine(game: GameInfo, chosen: Chosen): string {
  const preset = nearest(game, chosen);
  const differing = houseRules(game, chosen, preset).map(({ title, value }) => title + say("rules.colon") + value);
  return [...(preset ? [localized(preset.name)] : []), ...differing].join(" · ");
}
