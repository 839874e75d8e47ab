// The reasons for a choice as a teacher gives them: one sentence about cards. The figures stand behind a mark.

import type { Text } from "../wire";

// By how much a choice is better, and how often.
const FIGURES = /^facts\.(better|worse|hangs|much|ahead|worth|held|lies|next|hung|why-cost|why-open-cost)/;

/** Split reasons into the first sentences without an amount, at most so many, and the others. */
export function split(facts: readonly Text[], most: number): { says: Text[]; others: Text[] } {
  const says = facts.filter(({ id }) => !FIGURES.test(id)).slice(0, most);
  return { says, others: facts.filter((fact) => !says.includes(fact)) };
}

/** Return the cards that a text names: those to raise on the table. */
export const cardsOf = ({ args = {} }: Text): string[] =>
  [args["card"], args["cards"]].flat().filter((card): card is string => typeof card === "string");
