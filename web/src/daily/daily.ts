// The deals of the day: requests, cuts, the results of all players, and the commitments that this browser has seen.

import { becomeGuest, isGuest, read, send } from "../lib/api";
import { apart } from "../lib/reach";
import type { AskDailyCut, Daily, DailyDeal, DailyEve, DailyPoints, Table } from "../wire";

const PATH = "/api/daily";

/** Return the deals of today and tomorrow. Looking makes nobody a guest. */
export const show = async (): Promise<Daily> => read(await send("GET", PATH));

/** Return the table of today's deal. */
export const play = (game: string): Promise<Table> => acting(`/${encodeURIComponent(game)}`);

/** Put a cut into tomorrow's deal. */
export const cut = (asks: AskDailyCut): Promise<DailyEve> => acting("", asks);

async function acting<T>(path: string, body?: object): Promise<T> {
  if (!isGuest()) await becomeGuest();
  let answer = await send("POST", PATH + path, body);
  if (answer.status === 401) {
    await becomeGuest(); // the guest that this browser knew is deleted
    answer = await send("POST", PATH + path, body);
  }
  return read<T>(answer);
}

// --- Results ---

/** A bin of neighbouring results: the first, the last, the number of tries, and whether the player's own is among them. */
export interface Bin {
  from: number;
  to: number;
  times: number;
  own: boolean;
}

/** Return the results of all tries in at most `bins` bins of equal width. */
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

/** Return the rank of a result among all tries, from 1, and whether another try has the same result. */
export function placed(spread: readonly DailyPoints[], own: number): { rank: number; tied: boolean } {
  const times = (fits: (points: number) => boolean): number =>
    spread.reduce((sum, each) => sum + (fits(each.points) ? each.times : 0), 0);
  return { rank: 1 + times((points) => points > own), tied: times((points) => points === own) > 1 };
}

/** Return the median result; of two in the middle, the better one. */
export function middle(spread: readonly DailyPoints[]): number {
  let left = Math.floor(spread.reduce((sum, { times }) => sum + times, 0) / 2);
  for (const { points, times } of spread) {
    if (left < times) return points;
    left -= times;
  }
  return 0;
}

// --- Commitments ---

type Shelf = Pick<Storage, "getItem" | "setItem">;
type Promised = Record<string, Record<string, string>>; // commitments, by day and game

const KEY = apart("mekuri-daily");
const MOST = 4; // days that are kept, newest first

function promised(shelf?: Shelf): Promised {
  try {
    const stored: unknown = JSON.parse((shelf ?? localStorage).getItem(KEY) ?? "{}");
    return typeof stored === "object" && stored !== null ? (stored as Promised) : {};
  } catch {
    return {}; // the browser may forbid storage
  }
}

/** Note the commitments of a coming day's deals. The first note of a day stays. */
export function note({ day, commitments }: DailyEve, shelf?: Shelf): void {
  const before = promised(shelf);
  const now = { ...before, [day]: { ...commitments, ...before[day] } };
  const kept = Object.entries(now).sort(([one], [other]) => (one < other ? -1 : 1));
  try {
    (shelf ?? localStorage).setItem(KEY, JSON.stringify(Object.fromEntries(kept.slice(-MOST))));
  } catch {
    // Without a note there is nothing to compare.
  }
}

/** Return the commitment that this browser noted before the day of the deal; null if it noted none. */
export const noted = ({ day, game }: Pick<DailyDeal, "day" | "game">, shelf?: Shelf): string | null =>
  promised(shelf)[day]?.[game] ?? null;
