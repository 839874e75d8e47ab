// What the coach knows: the analysis of what the person may do, which the server makes, and what of it is told.

import { read, send } from "../lib/api";
import type { Voice } from "../lib/voice";
import type { Analysis, Table, Weighed, Why } from "../wire";

/** What the person may do now, weighed. */
export const weigh = async (table: string): Promise<Analysis> =>
  read(await send("GET", `/api/tables/${encodeURIComponent(table)}/analysis`));

/** Why another seat has done what it did last. */
export const why = async (table: string): Promise<Why> => read(await send("GET", `/api/tables/${encodeURIComponent(table)}/why`));

/** Go back to before the last thing that the person has chosen. */
export const takeBack = async (table: string, version: number): Promise<Table> =>
  read(await send("POST", `/api/tables/${encodeURIComponent(table)}/take-back`, { version }));

/** What each other action costs, on average, against the best: those that cost least first. */
export const prices = ({ actions }: Analysis): { action: Weighed; costs: string }[] =>
  actions.slice(1).map((action) => ({ action, costs: costs((actions[0]?.mean ?? 0) - action.mean) }));

const costs = (mean: number): string => mean.toFixed(mean >= 10 ? 1 : 2); // the best comes first, so it is never less than nothing

/** What points out an action on the table, a card or a word, as a style sheet. */
export const glowing = (action: string): string => {
  const name = CSS.escape(action);
  return `.table :is(li[data-card="${name}"], [data-action="${name}"]) {
    outline: 3px solid var(--accent); outline-offset: 1px; border-radius: 4px; z-index: 1;
  }`;
};

/** A hint in one text, for the ear: a part of it, or the whole. */
export const spoken = (analysis: Analysis, whole: boolean, best: string, voice: Voice): string =>
  (whole ? [best, ...analysis.facts.map((fact) => voice.text(fact))] : analysis.part ? [voice.text(analysis.part)] : []).join(" ");
