// The player's opponents: the weakest character at first, and after a match the next stronger or weaker one.

import type { BotInfo, GameInfo, Table } from "../wire";
import { keep, kept } from "./kept";

const KEY = "mekuri-opponents";

/** Return the bots for a table of `seats` seats with one person: the default ones, or the character that was chosen last and others. */
export function companions(game: GameInfo, seats: number): string[] {
  const usual = game.company[0];
  const chosen = kept(KEY)[game.id];
  const first = game.bots.find(({ id, level }) => id === chosen && level)?.id ?? usual;
  return game.company.slice(0, seats - 1).map((id) => (id === usual ? first : id === first ? usual : id) as string);
}

/** Play against a character from now on. */
export const meet = (game: string, id: string): void => keep(KEY, { [game]: id });

/** Return the next character after a match against characters only: one stronger than the strongest after a win, else one weaker. */
export function proposed({ head, you }: Table, bots: readonly BotInfo[]): { who: BotInfo; instead: string } | null {
  const met = head.seats.flatMap(({ seat, bot }) => (seat === you ? [] : [bots.find(({ id }) => id === bot)]));
  const strongest = met.reduce((one, other) => ((other?.level ?? 0) > (one?.level ?? 0) ? other : one), met[0]);
  if (you === null || !head.winners || met.some((bot) => !bot?.level) || !strongest?.level) return null;
  const level = strongest.level + (head.winners.includes(you) ? 1 : -1);
  const who = bots.find((bot) => bot.level === level);
  return who ? { who, instead: strongest.id } : null;
}
