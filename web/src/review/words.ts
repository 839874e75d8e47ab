// The texts of a verdict.

import { say, type Key } from "../lib/language.svelte";
import type { Voice } from "../lib/voice";
import { signed } from "../table/sheet";
import type { Choice, Event, Moment, Review } from "../wire";
import { estimate, figure } from "./review";

export type Called = (action: string) => string;

/** Return the names of a decision's actions. */
export const calling =
  (moment: { choices: readonly Choice[] }, voice: Voice): Called =>
  (action) => {
    const choice = moment.choices.find((each) => each.action === action);
    return choice ? voice.text(choice.text) : action;
  };

/** Return whether another action was better, as far as the player could know. */
export const isBetter = (moment: Moment): boolean => moment.cost.mean > 0 && moment.best !== moment.action;

/** Return the grade of a decision. A decision with any certain cost is not called sound. */
export const rated = ({ label, cost }: Pick<Moment, "label" | "cost">): Key =>
  label === "fine" && cost.least > 0 ? "review.slip" : (`review.${label}` as Key);

/** Return what to highlight on the table of an answered decision: the best action, and the played one. */
export const shownOf = (moment: Moment): { best: string; played: string } => ({
  best: isBetter(moment) ? moment.best : moment.action,
  played: moment.action,
});

/** Join sentences. */
export const sentences = (...some: string[]): string => some.join(say("board.sentence"));

/** Return an amount for use in a sentence: in rounds of a hundred if rounds are only won or lost. */
const amount = (value: number, { wins }: Moment, voice: Voice): string =>
  wins ? voice.text({ id: "facts.in-100", args: { n: Math.round(50 * value) } }) : figure(value);

/** Return whether another choice was better, given what the player could know. */
export function judged(moment: Moment, voice: Voice): string {
  const called = calling(moment, voice);
  if (!isBetter(moment)) return say("review.nothing");
  if (moment.cost.least <= 0) return say("review.about", { action: called(moment.best) });
  return say(moment.label === "fine" ? "review.slightly" : "review.better", { action: called(moment.best) });
}

/** Return the average cost of a decision as far as the player could know; empty if nothing was surely better. */
export const known = (moment: Moment, voice: Voice): string =>
  isBetter(moment) && moment.cost.least > 0 ? say("review.known", { cost: amount(moment.cost.mean, moment, voice) }) : "";

/** Return the cost of a decision in hindsight. */
export function later(moment: Moment, voice: Voice): string {
  const { action, hindsight } = moment;
  const called = calling(moment, voice);
  // The difference between a win and a loss, if it is exact.
  const whole = moment.wins && hindsight.exact && Math.round(50 * hindsight.cost.mean) >= 100;
  const sentence =
    hindsight.best === action
      ? say("review.hindsight-same")
      : say(whole ? "review.hindsight-won" : "review.hindsight", {
          action: called(hindsight.best),
          cost: amount(hindsight.cost.mean, moment, voice),
        });
  return sentences(sentence, say(hindsight.exact ? "review.exact" : "review.estimated"));
}

const PARTS = ["deal", "skill", "others", "luck"] as const;

export interface Sum {
  verdict: string;
  ended: string; // how the round ended
  parts: [name: string, value: string][]; // the parts of the result, then the result
  notes: string[]; // the unit of all figures, and an explanation of luck if it is mentioned
  judge: string; // the judge; empty if there was nothing to judge
}

/** Return the summary of a round. Without a decision it has only the ending and the result. */
export function summed(review: Review, events: readonly Event[], voice: Voice): Sum {
  const judged = review.moments.length > 0;
  const end = events.findLast(({ view }) => view)?.view;
  const brings = end?.brings ?? [];
  // The account that decided the round: the player's first one with the most entries.
  const [unit] = brings.map((row) => Object.keys(row)).sort((one, other) => other.length - one.length)[0] ?? [];
  const winners = brings.flatMap((row, seat) => (unit && (row[unit] ?? 0) > 0 ? [seat] : []));
  const [winner] = winners.length === 1 ? winners : [];
  const ending = end?.ending ? voice.entry("endings", end.ending) : "";
  const { yaku, line } = end?.result?.args ?? {};
  const decided = end?.result && (yaku || line) ? voice.text(end.result) : "";
  const notes = [
    ...(review.moments[0]?.wins ? [say("review.wins")] : unit ? [say("review.unit", { unit: voice.entry("accounts", unit) })] : []),
    ...((review.lucky ?? review.unlucky) ? [say("review.luck-note")] : []),
  ];
  return {
    verdict: say(`review.${review.verdict}` as Key),
    ended:
      decided ||
      (winner === undefined
        ? ending && say("review.ended", { ending })
        : say("review.ended-for", { player: voice.player(winner), ending })),
    parts: [
      ...(judged ? PARTS : []).map((part): [string, string] => [say(`review.${part}`), estimate(review[part], true)]),
      [say("review.result"), signed(review.result)],
    ],
    notes: judged ? notes : [],
    judge: judged
      ? say("review.judge", { bot: voice.entry("bots", review.bot), version: review.version, playouts: review.playouts })
      : "",
  };
}
