// What is said of a decision.

import { say, type Key } from "../lib/language.svelte";
import type { Voice } from "../lib/voice";
import { signed } from "../table/sheet";
import type { Choice, Event, Moment, Review } from "../wire";
import { estimate, figure } from "./review";

export type Called = (action: string) => string;

/** What the actions of a decision are called. */
export const calling =
  (moment: { choices: readonly Choice[] }, voice: Voice): Called =>
  (action) => {
    const choice = moment.choices.find((each) => each.action === action);
    return choice ? voice.text(choice.text) : action;
  };

/** Whether something else would have been better than what was played, for all that could be known. */
export const isBetter = (moment: Moment): boolean => moment.cost.mean > 0 && moment.best !== moment.action;

/** What a decision is called. One that surely cost something, however little, is not called sound. */
export const rated = ({ label, cost }: Pick<Moment, "label" | "cost">): Key =>
  label === "fine" && cost.least > 0 ? "review.slip" : (`review.${label}` as Key);

/** What is pointed out on the table of a decision once it may be told: what was best, and what was played. */
export const shownOf = (moment: Moment): { best: string; played: string } => ({
  best: isBetter(moment) ? moment.best : moment.action,
  played: moment.action,
});

/** Sentences, one after the other. */
export const sentences = (...some: string[]): string => some.join(say("board.sentence"));

/** An amount inside a sentence: in rounds of a hundred if rounds are only won or lost. */
const amount = (value: number, { wins }: Moment, voice: Voice): string =>
  wins ? voice.text({ id: "facts.in-100", args: { n: Math.round(50 * value) } }) : figure(value);

/** What a decision cost, given what could be known. */
export function judged(moment: Moment, voice: Voice): string {
  const called = calling(moment, voice);
  if (!isBetter(moment)) return say("review.nothing");
  if (moment.cost.least <= 0) return say("review.about", { action: called(moment.best) });
  const better = say(moment.label === "fine" ? "review.slightly" : "review.better", { action: called(moment.best) });
  return sentences(better, say("review.known", { cost: amount(moment.cost.mean, moment, voice) }));
}

/** What it cost in hindsight. */
export function later(moment: Moment, voice: Voice): string {
  const { action, hindsight } = moment;
  const called = calling(moment, voice);
  // The difference between a round won and one lost, if it is no estimate.
  const whole = moment.wins && hindsight.exact && Math.round(50 * hindsight.cost.mean) >= 100;
  const told =
    hindsight.best === action
      ? say("review.hindsight-same")
      : say(whole ? "review.hindsight-won" : "review.hindsight", {
          action: called(hindsight.best),
          cost: amount(hindsight.cost.mean, moment, voice),
        });
  return sentences(told, say(hindsight.exact ? "review.exact" : "review.estimated"));
}

const PARTS = ["deal", "skill", "others", "luck"] as const;

export interface Sum {
  verdict: string;
  ended: string; // how the round ended
  parts: [name: string, value: string][]; // what the result is made of, and the result last
  notes: string[]; // the unit of all figures, and what luck is, where that is told
  judge: string; // who has judged; empty if there was nothing to judge
}

/** What a round came to. If there was no decision, only how it ended and the result. */
export function summed(review: Review, events: readonly Event[], voice: Voice): Sum {
  const judged = review.moments.length > 0;
  const end = events.findLast(({ view }) => view)?.view;
  const brings = end?.brings ?? [];
  // The account in which the round was won: the first of the player with entries in most.
  const [unit] = brings.map((row) => Object.keys(row)).sort((one, other) => other.length - one.length)[0] ?? [];
  const winners = brings.flatMap((row, seat) => (unit && (row[unit] ?? 0) > 0 ? [seat] : []));
  const [winner] = winners.length === 1 ? winners : [];
  const ending = end?.ending ? voice.entry("endings", end.ending) : "";
  const notes = [
    ...(review.moments[0]?.wins ? [say("review.wins")] : unit ? [say("review.unit", { unit: voice.entry("accounts", unit) })] : []),
    ...((review.lucky ?? review.unlucky) ? [say("review.luck-note")] : []),
  ];
  return {
    verdict: say(`review.${review.verdict}` as Key),
    ended:
      winner === undefined
        ? ending && say("review.ended", { ending })
        : say("review.ended-for", { player: voice.player(winner), ending }),
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
