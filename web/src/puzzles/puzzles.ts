// Puzzles: how they are asked for and answered, and which have been solved in this browser. What is right, the server says.

import { once, read, send } from "../lib/api";
import { keep, kept } from "../lib/kept";
import type { AskPuzzleTry, Puzzle, PuzzleHead, Puzzles, PuzzleTried } from "../wire";

const path = (game: string): string => `/api/games/${encodeURIComponent(game)}/puzzles`;

/** Which puzzles there are of a game. */
export const puzzles = (game: string): Promise<Puzzles> => once(path(game));

/** A puzzle as a question. */
export const puzzle = (game: string, id: string): Promise<Puzzle> => once(`${path(game)}/${encodeURIComponent(id)}`);

/** Answer a puzzle; null for not knowing. */
export async function attempt({ game, id }: Puzzle, action: string | null, second: boolean): Promise<PuzzleTried> {
  const asks: AskPuzzleTry = { action, second };
  return read<PuzzleTried>(await send("POST", `${path(game)}/${encodeURIComponent(id)}`, asks));
}

/** The address of a puzzle; of all of a game without one. */
export const address = (game: string, id?: string): string => `/puzzles/${game}${id ? `#${id}` : ""}`;

const KEY = "mekuri-puzzles";

/** The puzzles of a game that have been solved here. */
export function solved(game: string): string[] {
  const told = kept(KEY)[game];
  return Array.isArray(told) ? told.filter((id) => typeof id === "string") : []; // others can write there
}

/** Note that a puzzle has been solved; all that have been. */
export function note({ game, id }: Puzzle): string[] {
  const now = [...new Set([...solved(game), id])];
  keep(KEY, { [game]: now });
  return now;
}

/** The first that has not been solved, of those after one, or else of all; undefined where all have been. */
export function following(heads: readonly PuzzleHead[], done: readonly string[], id = ""): PuzzleHead | undefined {
  const at = heads.findIndex((head) => head.id === id) + 1;
  return [...heads.slice(at), ...heads.slice(0, at)].find((head) => head.id !== id && !done.includes(head.id));
}
