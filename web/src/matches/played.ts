// The player's matches: loading them, and importing them from a file. Only the screen of matches loads this module.

import type { AskBring, Brought, ExportedMatch, GamePlayed, Played } from "../wire";
import { becomeGuest, isGuest, read, Refused, send } from "../lib/api";

const PATH = "/api/guests/matches";
const LARGEST = 256 * 2 ** 20; // the largest file that is read, in bytes
const WAIT = 2; // seconds, if the server names no delay

/** Return the player's matches, without the first `skipped`; null for a visitor who is no guest. The totals are over all matches. */
export async function played(skip = 0): Promise<Played | null> {
  while (isGuest()) {
    const answer = await send("GET", `${PATH}?skip=${skip}`);
    if (answer.status === 401) return null;
    const history = await read<Played>(answer);
    if (!history.counting) return history;
  }
  return null;
}

const ALL = 100_000; // only the totals: no page of matches

/** Return the totals of each game; null for a visitor who is no guest. */
export const sums = async (): Promise<GamePlayed[] | null> => (await played(ALL))?.games ?? null;

/** The progress of an import: the matches in the file, and how many are new, known or refused. */
export interface Progress {
  all: number;
  added: number;
  known: number;
  refused: number;
}

/** The error for a file that is no export. */
export class NoExport extends Error {}

/** Return a request for each match of an export that can be imported: finished matches with rounds that count. */
export async function matchesOf(file: Blob): Promise<AskBring[]> {
  let content: unknown = null;
  try {
    if (file.size <= LARGEST) content = JSON.parse(await file.text());
  } catch {
    // Then it is no export.
  }
  const matches =
    typeof content === "object" && content !== null && "mekuri_guest" in content && "matches" in content && content.matches;
  if (!Array.isArray(matches)) throw new NoExport();
  return (matches as (ExportedMatch | null)[]).flatMap((match) => {
    if (!match?.record || match.seat == null || !match.counted?.length) return [];
    const { table, ended_at, why, seat, counted, record } = match;
    return [{ table, ended_at: ended_at ?? 0, why: why ?? null, seat, counted, record }];
  });
}

/** Import matches one after the other, and report the progress. If the server asks for a delay, wait. */
export async function bring(
  matches: readonly AskBring[],
  tell: (progress: Progress) => void,
  stopped: () => boolean,
): Promise<void> {
  const progress: Progress = { all: matches.length, added: 0, known: 0, refused: 0 };
  tell({ ...progress });
  if (matches.length && !isGuest()) await becomeGuest();
  for (const match of matches) {
    if (stopped()) return;
    progress[await one(match, stopped)] += 1;
    tell({ ...progress });
  }
}

async function one(match: AskBring, stopped: () => boolean): Promise<"added" | "known" | "refused"> {
  for (;;) {
    const answer = await send("POST", PATH, match);
    try {
      return (await read<Brought>(answer)).added ? "added" : "known";
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (ENOUGH.includes(error.problem.error)) throw error;
      if (![429, 503].includes(answer.status)) return "refused";
      const seconds = Number(error.problem.text.args?.["seconds"]) || WAIT;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      if (stopped()) throw error;
    }
  }
}

const ENOUGH = ["too-many-matches", "disk-full", "not-kept", "damaged", "database-gone"]; // waiting does not help

/** Return the edge of a stamp of a width and height, with holes at a distance. */
export function perforated(width: number, height: number, apart = 8, hole = 2.4): string {
  const side = (length: number, x: number, y: number): string => {
    const holes = Math.round(length / apart);
    const gap = (length - holes * 2 * hole) / holes;
    const along = (by: number): string => `l${trim(x * by)} ${trim(y * by)}`;
    const cut = `a${hole} ${hole} 0 0 0 ${trim(x * 2 * hole)} ${trim(y * 2 * hole)}`;
    return Array.from({ length: holes }, () => along(gap / 2) + cut + along(gap / 2)).join("");
  };
  return `M0 0${side(width, 1, 0)}${side(height, 0, 1)}${side(width, -1, 0)}${side(height, 0, -1)}z`;
}

const trim = (value: number): number => Math.round(value * 100) / 100;
