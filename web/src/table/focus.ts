// The focus stays where a person is: a card that is played is gone, and the next one of its zone takes its place.

import { keyed } from "../lib/keyed";

export interface Held {
  zone: string | null; // null where it was in none
  index: number; // of the card in its zone
}

/** What has the focus on the board; null where nothing of it has. */
export function held(board: HTMLElement): Held | null {
  const active = document.activeElement;
  if (!(active instanceof HTMLElement) || !board.contains(active)) return null;
  const zone = active.closest<HTMLElement>("[data-zone]");
  const index = zone ? [...zone.querySelectorAll("button")].findIndex((button) => button === active) : -1;
  return { zone: zone?.dataset["zone"] ?? null, index };
}

const CARD = ".card-button.legal, .deck";

/**
 * Lead the focus to a question that is new, where the person uses keys and has the focus on no answer: to the first card that may be
 * played, else to the first button. Elsewhere put it back where it was, if the change of the board has taken it away: else it goes to the
 * hand, then to the prompt.
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
