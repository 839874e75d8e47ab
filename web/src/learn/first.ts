// The first match of somebody who is new to a game: short, without what is rare, against whoever plays it least well.

import { open } from "../lib/start";
import type { AskTable, Lesson } from "../wire";

/** Make its table and sit down there. Another deals first, who has more to decide before the play. */
export function playFirst({ game, preset, seats, opponent }: Lesson): Promise<void> {
  const who = ["person", ...Array.from({ length: seats - 1 }, () => opponent)];
  return open({ game, preset, seats: who as NonNullable<AskTable["seats"]>, first_dealer: 1 }, 0);
}
