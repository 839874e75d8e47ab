// Puzzles: loading and answering them, and the record of those solved in this browser. The server says which answers are right.

import { once, read, send } from "../lib/api";
import { keep, kept } from "../lib/kept";
import type { AskPuzzleTry, Puzzle, PuzzleHead, Puzzles, PuzzleTried } from "../wire";

const path = (game: string): string => `/api/games/${encodeURIComponent(game)}/puzzles`;

/** Return the puzzles of a game. */
export const puzzles = (game: string): Promise<Puzzles> => once(path(game));

/** Return a puzzle as a question. */
export const puzzle = (game: string, id: string): Promise<Puzzle> => once(`${path(game)}/${encodeURIComponent(id)}`);

/** Answer a puzzle; null for "I do not know". */
export async function attempt({ game, id }: Puzzle, action: string | null, second: boolean): Promise<PuzzleTried> {
  const asks: AskPuzzleTry = { action, second };
  return read<PuzzleTried>(await send("POST", `${path(game)}/${encodeURIComponent(id)}`, asks));
}

/** Return the address of a puzzle; without one, of all puzzles of a game. */
export const address = (game: string, id?: string): string => `/puzzles/${game}${id ? `#${id}` : ""}`;

const KEY = "mekuri-puzzles";

/** Return the puzzles of a game that were solved in this browser. */
export function solved(game: string): string[] {
  const solved = kept(KEY)[game];
  return Array.isArray(solved) ? solved.filter((id) => typeof id === "string") : []; // other programs can write there
}

/** Note that a puzzle was solved. Return all solved ones. */
export function note({ game, id }: Puzzle): string[] {
  const now = [...new Set([...solved(game), id])];
  keep(KEY, { [game]: now });
  return now;
}

/** Return the first unsolved puzzle after a given one, or else of all; undefined if all are solved. */
export function following(heads: readonly PuzzleHead[], done: readonly string[], id = ""): PuzzleHead | undefined {
  const at = heads.findIndex((head) => head.id === id) + 1;
  return [...heads.slice(at), ...heads.slice(0, at)].find((head) => head.id !== id && !done.includes(head.id));
}
