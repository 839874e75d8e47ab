// The coach: the analysis of the player's actions, which the server makes, and the parts of it that are shown.

import { read, send } from "../lib/api";
import type { Voice } from "../lib/voice";
import type { Analysis, Table, Weighed, Why } from "../wire";
import { split } from "./facts";

/** Return the analysis of the player's legal actions. */
export const weigh = async (table: string): Promise<Analysis> =>
  read(await send("GET", `/api/tables/${encodeURIComponent(table)}/analysis`));

/** Return an explanation of the last action of another seat. */
export const why = async (table: string): Promise<Why> => read(await send("GET", `/api/tables/${encodeURIComponent(table)}/why`));

/** Go back to the moment before the player's last action. */
export const takeBack = async (table: string, version: number): Promise<Table> =>
  read(await send("POST", `/api/tables/${encodeURIComponent(table)}/take-back`, { version }));

/** Return the average cost of each other action compared with the best, lowest first. */
export const prices = ({ actions }: Analysis): { action: Weighed; costs: string }[] =>
  actions.slice(1).map((action) => ({ action, costs: costs((actions[0]?.mean ?? 0) - action.mean) }));

const costs = (mean: number): string => mean.toFixed(mean >= 10 ? 1 : 2); // the best comes first, so no cost is negative

/** Return a style rule that raises an action on the table, a card or a word. */
export const glowing = (action: string): string => {
  const name = CSS.escape(action);
  return `.table :is(li[data-card="${name}"], [data-action="${name}"]) {
    outline: 3px solid var(--accent); outline-offset: 1px; border-radius: 4px; z-index: 1;
  }`;
};

/** Return a hint as one text for screen readers: a part of it, or the whole. */
export const spoken = (analysis: Analysis, whole: boolean, best: string, voice: Voice): string =>
  (whole
    ? [best, ...split(analysis.facts, 1).says.map((fact) => voice.text(fact))]
    : analysis.part
      ? [voice.text(analysis.part)]
      : []
  ).join(" ");
