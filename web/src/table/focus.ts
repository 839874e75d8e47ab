// The focus stays in place: when a card is played, the next one of its zone gets the focus.

import { keyed } from "../lib/keyed";

export interface Held {
  zone: string | null; // null if it was in no zone
  index: number; // of the card in its zone
}

/** Return the element of the board that has the focus; null if none has. */
export function held(board: HTMLElement): Held | null {
  const active = document.activeElement;
  if (!(active instanceof HTMLElement) || !board.contains(active)) return null;
  const zone = active.closest<HTMLElement>("[data-zone]");
  const index = zone ? [...zone.querySelectorAll("button")].findIndex((button) => button === active) : -1;
  return { zone: zone?.dataset["zone"] ?? null, index };
}

const CARD = ".card-button.legal, .deck";

/**
 * Move the focus to a new question if the player uses keys and the focus is on no answer: to the first playable card, else to the
 * first button. Otherwise restore the focus if a change of the board has removed its element: to the same zone, else to the hand, then
 * to the prompt.
 */
export function restore(board: HTMLElement, was: Held | null, asked: boolean): void {
  const active = document.activeElement;
  const nowhere = !active || active === document.body;
  const free = keyed && (nowhere || active.matches("main, .prompt, .board, .hands *"));
  const stays = was?.zone && board.querySelector(`[data-zone="${was.zone}"] :is(${CARD})`);
  const answer = board.querySelector<HTMLElement>(CARD) ?? board.querySelector<HTMLElement>(".words [data-action]");
  if (asked && free && !stays && answer) return answer.focus();
  if (!was || !nowhere) return;
  const hand = board.querySelector<HTMLElement>(".near.hand [data-zone]");
  const buttons = [...(hand?.querySelectorAll("button") ?? [])];
  const nearest = buttons[Math.min(Math.max(was.index, 0), buttons.length - 1)];
  const next = was.zone === hand?.dataset["zone"] ? nearest : buttons.find((button) => button.tabIndex === 0);
  (next ?? board.querySelector<HTMLElement>(".prompt"))?.focus({ preventScroll: true });
}
