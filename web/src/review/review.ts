// A review of a finished round: requests, and the format of its figures. The server judges.

import { read, send } from "../lib/api";
import type { AskRetry, Estimate, Event, Luck, Moment, Retried, Review, Reviewed, Why } from "../wire";

const LEAST = 10; // an event has a line of its own from a tenth of the luck on,
const LINES = 5; // and at most this many events have one

/** Return a seat's review of a round, or its progress. With `again`, a review of an earlier judge is made anew. */
export async function reviewed(table: string, round: number, seat: number, again: boolean): Promise<Reviewed> {
  const path = `/api/tables/${encodeURIComponent(table)}/rounds/${round}/review?seat=${seat}`;
  return read<Reviewed>(await send("GET", again ? `${path}&again=true` : path));
}

/** Return an explanation of the action that led to a version of a replay. */
export async function explained(table: string, round: number, eyes: number | null, version: number): Promise<Why> {
  const seat = eyes === null ? "" : `&seat=${eyes}`;
  return read<Why>(await send("GET", `/api/tables/${encodeURIComponent(table)}/rounds/${round}/why?version=${version}${seat}`));
}

/** Return the outcome of a finished round played differently from a moment on. */
export async function retry(table: string, round: number, asked: AskRetry): Promise<Retried> {
  return read<Retried>(await send("POST", `/api/tables/${encodeURIComponent(table)}/rounds/${round}/retry`, asked));
}

/** Format a figure: two decimals, one if it or `beside` is large; with a sign for gains and losses. */
export function figure(value: number, sign = false, beside = 0): string {
  const text = Math.abs(value).toFixed(Math.max(Math.abs(value), Math.abs(beside)) >= 10 ? 1 : 2);
  const nothing = Number(text) === 0;
  return `${nothing ? "" : value < 0 ? "−" : sign ? "+" : ""}${text}`;
}

/** Format signed figures that add up to their formatted sum: each rounding error moves to the next figure. */
function figures(parts: readonly number[]): string[] {
  const sums = parts.map((_, n) => parts.slice(0, n + 1).reduce((sum, part) => sum + part, 0));
  const most = Math.max(...[...parts, ...sums].map(Math.abs));
  const places = most >= 10 ? 1 : 2;
  return sums.map((sum, n) => figure(Number(sum.toFixed(places)) - Number((sums[n - 1] ?? 0).toFixed(places)), true, most));
}

/** Format a figure with half of its interval; an exact one without. */
export function estimate({ mean, least, most }: Estimate, sign = false): string {
  const half = (most - least) / 2;
  return half > 0 ? `${figure(mean, sign, half)} ± ${figure(half, false, mean)}` : figure(mean, sign);
}

/** Return the last event before a decision: its view is the table at that moment. */
export function asked(events: readonly Event[], moment: Pick<Moment, "seen">): Event | undefined {
  return events.filter(({ kind }) => kind === "play")[moment.seen - 1];
}

/** Return the events with much of the luck, each with its part, and the sum of all other parts as `rest`, empty if it is 0.
 *  Return all events without figures if a review does not have them. */
export function meanwhile(
  events: readonly Event[],
  { since, until, value, parts }: Luck,
): { much: { event: Event; part: string }[]; rest: string } {
  const seen = events.filter(({ kind }) => kind === "play").slice(since, until);
  if (!parts?.length) return { much: seen.map((event) => ({ event, part: "" })), rest: "" };
  const most = parts.map(Math.abs).sort((one, other) => other - one)[LINES] ?? 0; // a smaller part has no line
  const isMuch = (part: number): boolean => Math.abs(part) >= Math.abs(value) / LEAST && Math.abs(part) > most;
  const much = seen.flatMap((event, n) => (isMuch(parts[n] ?? 0) ? [{ event, part: parts[n] ?? 0 }] : []));
  const shares = much.map(({ part }) => part);
  const shown = figures([...shares, value - shares.reduce((sum, part) => sum + part, 0)]);
  const rest = shown.at(-1) ?? "";
  return { much: much.map(({ event }, n) => ({ event, part: shown[n] ?? "" })), rest: /[1-9]/.test(rest) ? rest : "" };
}

/** Return the most instructive moments, in their order. */
export function taught({ first, moments }: Pick<Review, "first" | "moments">): Moment[] {
  return first.flatMap((number) => moments.find((moment) => moment.number === number) ?? []);
}

/** Return what to highlight: the best card, and the played one. */
export function pointed(best: string, played: string): string {
  const card = (action: string): string => `.moment .board li[data-card="${CSS.escape(action)}"]`;
  const outline = (style: string): string => `{ outline: 3px ${style}; outline-offset: 1px; border-radius: 4px; z-index: 1; }`;
  return `${card(played)} ${outline("dashed var(--ink)")} ${card(best)} ${outline("solid var(--accent)")}`;
}
