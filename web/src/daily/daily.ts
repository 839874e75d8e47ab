// The deals of the day: how they are asked for and cut, what they brought to all, and what this browser was promised.

import { becomeGuest, isGuest, read, send } from "../lib/api";
import type { AskDailyCut, Daily, DailyDeal, DailyEve, DailyPoints, Table } from "../wire";

const PATH = "/api/daily";

/** Those of today and tomorrow. Nobody becomes a guest by looking. */
export const show = async (): Promise<Daily> => read(await send("GET", PATH));

/** The table at which today's is played. */
export const play = (game: string): Promise<Table> => acting(`/${encodeURIComponent(game)}`);

/** Put a cut into tomorrow's. */
export const cut = (asks: AskDailyCut): Promise<DailyEve> => acting("", asks);

async function acting<T>(path: string, body?: object): Promise<T> {
  if (!isGuest()) await becomeGuest();
  let answer = await send("POST", PATH + path, body);
  if (answer.status === 401) {
    await becomeGuest(); // the place that was known is gone
    answer = await send("POST", PATH + path, body);
  }
  return read<T>(answer);
}

// --- What they brought ---

/** Neighbouring results, taken together: from the first to the last of them, how many tries brought one, and whether one's own did. */
export interface Bin {
  from: number;
  to: number;
  times: number;
  own: boolean;
}

/** What all tries brought, as at most so many bins of equal width. */
export function bins(spread: readonly DailyPoints[], own: number | null, most: number): Bin[] {
  const [first, last] = [spread[0]?.points ?? 0, spread.at(-1)?.points ?? 0];
  const width = Math.ceil((last - first + 1) / most);
  return Array.from({ length: Math.ceil((last - first + 1) / width) }, (_, at) => {
    const from = first + at * width;
    const to = from + width - 1;
    const within = (points: number): boolean => from <= points && points <= to;
    const times = spread.reduce((sum, each) => sum + (within(each.points) ? each.times : 0), 0);
    return { from, to, times, own: own !== null && within(own) };
  });
}

/** The place of a result among all tries, from 1, and whether another try brought the same. */
export function placed(spread: readonly DailyPoints[], own: number): { rank: number; tied: boolean } {
  const times = (fits: (points: number) => boolean): number =>
    spread.reduce((sum, each) => sum + (fits(each.points) ? each.times : 0), 0);
  return { rank: 1 + times((points) => points > own), tied: times((points) => points === own) > 1 };
}

/** What the try in the middle brought; of two in the middle, the better one. */
export function middle(spread: readonly DailyPoints[]): number {
  let left = Math.floor(spread.reduce((sum, { times }) => sum + times, 0) / 2);
  for (const { points, times } of spread) {
    if (left < times) return points;
    left -= times;
  }
  return 0;
}

// --- What was promised ---

type Shelf = Pick<Storage, "getItem" | "setItem">;
type Promised = Record<string, Record<string, string>>; // commitments, by day and game

const KEY = "mekuri-daily";
const MOST = 4; // days that are kept, the newest

function promised(shelf?: Shelf): Promised {
  try {
    const told: unknown = JSON.parse((shelf ?? localStorage).getItem(KEY) ?? "{}");
    return typeof told === "object" && told !== null ? (told as Promised) : {};
  } catch {
    return {}; // storage may be forbidden
  }
}

/** Note what the deals of a day to come are committed to. What was noted first stays. */
export function note({ day, commitments }: DailyEve, shelf?: Shelf): void {
  const before = promised(shelf);
  const now = { ...before, [day]: { ...commitments, ...before[day] } };
  const kept = Object.entries(now).sort(([one], [other]) => (one < other ? -1 : 1));
  try {
    (shelf ?? localStorage).setItem(KEY, JSON.stringify(Object.fromEntries(kept.slice(-MOST))));
  } catch {
    // Then there is nothing to compare with.
  }
}

/** What a deal was committed to when this browser saw it first; null where it has not seen it before its day. */
export const noted = ({ day, game }: Pick<DailyDeal, "day" | "game">, shelf?: Shelf): string | null =>
  promised(shelf)[day]?.[game] ?? null;
