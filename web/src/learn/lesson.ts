// A lesson: where it comes from, how far one has come in it, and what an answer is. Which answers are right the server says.

import { once } from "../lib/api";
import type { Voice } from "../lib/voice";
import type { Beat, Event, GameInfo, Happening, Legal, Lesson, View } from "../wire";
import type { SeatLook } from "../table/board";
import { told } from "../lib/language.svelte";
import { choose, settings } from "../lib/settings.svelte";

export const lesson = (game: string): Promise<Lesson> => once(`/api/games/${game}/lesson`);

/** How far one has come in the lesson of a game: the beats that are done. */
export function begun(game: string): number {
  const at = settings.learned[game] ?? 0;
  return Number.isSafeInteger(at) && at > 0 ? at : 0; // others can write there
}

/** Keep how far one has come. */
export const keep = (game: string, beat: number): void => choose("learned", { ...settings.learned, [game]: beat });

/** A round of a game has been played here: it is new no more. */
export function met(game: string): void {
  if (!(game in settings.learned)) keep(game, 0);
}

const NAMED = /\{(\d+[HIOK]|G)\}/g;

/** A text of a lesson: what stands in braces is the name of a card. */
export const worded = (words: Readonly<Record<string, string>>, voice: Voice): string =>
  told(words).replace(NAMED, (_, card: string) => voice.card(card));

/** What may be pressed on the table at a beat: what the rules allow, or the cards that can be pointed at. */
export function choices(beat: Beat): Legal[] {
  if (beat.kind === "play") return [...beat.view.legal];
  if (beat.kind !== "point") return [];
  return beat.answers.map(({ answer }) => ({
    action: answer,
    text: { id: "card", args: { card: answer } },
    takes: [],
    choices: [],
  }));
}

/** What happens in a lesson, as the table is told of it. */
export const event = ({ seat, action, text, view }: Happening): Event => ({
  table: "",
  version: view.version,
  kind: "play",
  seat,
  action,
  text,
  head: null,
  view,
});

/** Who sits at the table of a lesson: whoever learns, and the characters of the game, the weakest first. */
export function sitters(game: GameInfo, seats: number, you: number | null): SeatLook[] {
  const characters = game.bots.filter((bot) => bot.crest);
  let next = 0;
  return Array.from({ length: seats }, (_, seat) => {
    const character = seat === you ? null : (characters[next++ % Math.max(characters.length, 1)] ?? null);
    return { name: character ? told(character.name) : "", note: "", waiting: false, character };
  });
}

/** The same as one sees them at a moment: who has the turn. */
export const seated = (sitting: readonly SeatLook[], view: View): SeatLook[] =>
  sitting.map((look, seat) => ({ ...look, waiting: !view.over && view.waiting.includes(seat) }));

/** What points out cards and places, as a style sheet: the table itself knows nothing of it. */
export function glowing(beat: Beat | undefined): string {
  const cards = (beat?.glow ?? []).map((card) => `.lesson .board li[data-card="${card}"]`);
  const places = (beat?.places ?? []).map((place) => `.lesson .board [data-zone^="${CSS.escape(place)}/"]`);
  const all = [...cards, ...places].join();
  return all && `${all} { outline: 3px solid var(--accent); outline-offset: 1px; border-radius: 4px; z-index: 1; }`;
}
