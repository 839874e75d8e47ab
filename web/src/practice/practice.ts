// One's own mistakes as questions: how they are asked for and answered. What is right, the server says.

import { isGuest, read, Refused, send } from "../lib/api";
import type { AskTry, NextQuestion, Practice, Question, Tried } from "../wire";

const PATH = "/api/practice";

/** Asked as whoever one is: nobody becomes a guest by it. Null for somebody who is none. */
async function asked<T>(method: string, path: string): Promise<T | null> {
  if (!isGuest()) return null;
  const answer = await send(method, PATH + path);
  return answer.status === 401 ? null : read<T>(answer);
}

/** How one's practice stands. */
export const standing = (): Promise<Practice | null> => asked("GET", "");

/** Have one's rounds looked through a step further; how one's practice stands then. */
export const search = (): Promise<Practice | null> => asked("POST", "");

/** The question that has been due for longest; null where none is. */
export const question = async (): Promise<Question | null> => (await asked<NextQuestion>("GET", "/question"))?.question ?? null;

/** Answer a question; null for not knowing. */
export async function attempt({ table, round, number }: Question, tries: number, action: string | null): Promise<Tried> {
  const asks: AskTry = { table, round, number, tries, action };
  return read<Tried>(await send("POST", `${PATH}/tries`, asks));
}

/** Whether a refusal passes by itself. */
export const passes = (error: unknown): boolean => error instanceof Refused && (error.status === 429 || error.status === 503);

/** Whether a question stands no more, answered elsewhere or gone: the next one is to be asked. */
export const stale = (error: unknown): boolean =>
  error instanceof Refused && ["answered-already", "no-such-question"].includes(error.problem.error);
