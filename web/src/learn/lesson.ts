// A lesson: loading it, its progress, and its answers. The server says which answers are right.

import { once } from "../lib/api";
import type { Voice } from "../lib/voice";
import type { Beat, Event, GameInfo, Happening, Legal, Lesson, View } from "../wire";
import type { SeatLook } from "../table/board";
import { localized } from "../lib/language.svelte";
import { choose, settings } from "../lib/settings.svelte";

export const lesson = (game: string): Promise<Lesson> => once(`/api/games/${game}/lesson`);

/** Return the progress in the lesson of a game: the beats that are done. */
export function begun(game: string): number {
  const at = settings.learned[game] ?? 0;
  return Number.isSafeInteger(at) && at > 0 ? at : 0; // other programs can write there
}

/** Store the progress. */
export const keep = (game: string, beat: number): void => choose("learned", { ...settings.learned, [game]: beat });

/** Note that the player has finished a round of a game, so it is no longer new. */
export function met(game: string): void {
  if (!(game in settings.learned)) keep(game, 0);
}

const NAMED = /\{(\d+[HIOK]|G)\}/g;

/** Return a text of a lesson with the names in braces replaced by names of cards. */
export const worded = (words: Readonly<Record<string, string>>, voice: Voice): string =>
  localized(words).replace(NAMED, (_, card: string) => voice.card(card));

/** Return what can be pressed at a beat: the legal actions, or the cards that can be chosen. */
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

/** Return a step of a lesson as an event of a table. */
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

/** Return the seats of a lesson's table: the player and the game's characters, weakest first. */
export function sitters(game: GameInfo, seats: number, you: number | null): SeatLook[] {
  const characters = game.bots.filter((bot) => bot.crest);
  let next = 0;
  return Array.from({ length: seats }, (_, seat) => {
    const character = seat === you ? null : (characters[next++ % Math.max(characters.length, 1)] ?? null);
    return { name: character ? localized(character.name) : "", note: "", waiting: false, character };
  });
}

/** Return the same seats at a moment, with the turn. */
export const seated = (sitting: readonly SeatLook[], view: View): SeatLook[] =>
  sitting.map((look, seat) => ({ ...look, waiting: !view.over && view.waiting.includes(seat) }));

/** Return a style sheet that highlights cards and places, of which the table knows nothing. */
export function glowing(beat: Beat | undefined): string {
  const cards = (beat?.glow ?? []).map((card) => `.lesson .board li[data-card="${card}"]`);
  const places = (beat?.places ?? []).map((place) => `.lesson .board [data-zone^="${CSS.escape(place)}/"]`);
  const all = [...cards, ...places].join();
  return all && `${all} { outline: 3px solid var(--accent); outline-offset: 1px; border-radius: 4px; z-index: 1; }`;
}
