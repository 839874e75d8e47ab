// Practice: loading and answering questions from the player's own mistakes. The server says which answers are right.

import { isGuest, read, Refused, send } from "../lib/api";
import type { AskTry, NextQuestion, Practice, Question, Tried } from "../wire";

const PATH = "/api/practice";

/** Send a request as the present guest, without becoming one. Return null for a visitor who is no guest. */
async function asked<T>(method: string, path: string): Promise<T | null> {
  if (!isGuest()) return null;
  const answer = await send(method, PATH + path);
  return answer.status === 401 ? null : read<T>(answer);
}

/** Return the state of the player's practice. */
export const standing = (): Promise<Practice | null> => asked("GET", "");

/** Have the server look through more of the player's rounds. Return the state of practice after that. */
export const search = (): Promise<Practice | null> => asked("POST", "");

/** Return the question that is due first; null if none is due. */
export const question = async (): Promise<Question | null> => (await asked<NextQuestion>("GET", "/question"))?.question ?? null;

/** Answer a question; null for "I do not know". */
export async function attempt({ table, round, number }: Question, tries: number, action: string | null): Promise<Tried> {
  const asks: AskTry = { table, round, number, tries, action };
  return read<Tried>(await send("POST", `${PATH}/tries`, asks));
}

/** Return whether a refusal is temporary. */
export const passes = (error: unknown): boolean => error instanceof Refused && (error.status === 429 || error.status === 503);

/** Return whether a question is answered elsewhere or deleted, so that the next one is due. */
export const stale = (error: unknown): boolean =>
  error instanceof Refused && ["answered-already", "no-such-question"].includes(error.problem.error);
