// Whom a player meets: the weakest character at first, and after a match the next stronger or weaker one.

import type { BotInfo, GameInfo, Table } from "../wire";

const KEY = "mekuri-opponents";

/** The bots at a table of so many seats beside one person: the proposed ones, or the character that was chosen last and others. */
export function companions(game: GameInfo, seats: number): string[] {
  const usual = game.company[0];
  const kept = all()[game.id];
  const first = game.bots.some(({ id, level }) => id === kept && level) ? (kept as string) : usual;
  return game.company.slice(0, seats - 1).map((id) => (id === usual ? first : id === first ? usual : id) as string);
}

/** Meet a character from now on. */
export function meet(game: string, id: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...all(), [game]: id }));
  } catch {
    // Where storage is forbidden each first table has the weakest.
  }
}

function all(): Record<string, unknown> {
  try {
    const told: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof told === "object" && told !== null ? { ...told } : {};
  } catch {
    return {};
  }
}

/** After a match against characters alone: the next stronger one than the strongest, if it was won, or else the next weaker one. */
export function proposed({ head, you }: Table, bots: readonly BotInfo[]): { who: BotInfo; instead: string } | null {
  const met = head.seats.flatMap(({ seat, bot }) => (seat === you ? [] : [bots.find(({ id }) => id === bot)]));
  const strongest = met.reduce((one, other) => ((other?.level ?? 0) > (one?.level ?? 0) ? other : one), met[0]);
  if (you === null || !head.winners || met.some((bot) => !bot?.level) || !strongest?.level) return null;
  const level = strongest.level + (head.winners.includes(you) ? 1 : -1);
  const who = bots.find((bot) => bot.level === level);
  return who ? { who, instead: strongest.id } : null;
}
