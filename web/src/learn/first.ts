// The first match of a player who is new to a game: short, without rare rules, against the weakest character.

import { open } from "../lib/start";
import type { AskTable, GameInfo, Lesson, Table } from "../wire";

/** Make its table and sit down. The opponent deals first, because the dealer has more to decide before the play. */
export function playFirst({ game, preset, seats, opponent }: Lesson): Promise<void> {
  const who = ["person", ...Array.from({ length: seats - 1 }, () => opponent)];
  return open({ game, preset, seats: who as NonNullable<AskTable["seats"]>, first_dealer: 1 }, 0);
}

/** Return whether a table was made for a first match. */
export function wasFirst({ options, match_options }: Table, { first, presets }: GameInfo): boolean {
  const preset = presets.find(({ id }) => id === first);
  const same = (one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean =>
    Object.keys({ ...one, ...other }).every((name) => one[name] === other[name]);
  return (
    preset !== undefined && preset !== presets[0] && same(preset.options, options) && same(preset.match_options, match_options)
  );
}
