// The focus stays where a person is: a card that is played is gone, and the next one of its zone takes its place.

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

/** Put the focus back where it was, where the change of the board has taken it away. Else it goes to the hand, then to the prompt. */
export function restore(board: HTMLElement, was: Held | null): void {
  const active = document.activeElement;
  if (!was || (active && active !== document.body)) return;
  const hand = board.querySelector<HTMLElement>(".near.hand [data-zone]");
  const buttons = [...(hand?.querySelectorAll("button") ?? [])];
  const nearest = buttons[Math.min(Math.max(was.index, 0), buttons.length - 1)];
  const next = was.zone === hand?.dataset["zone"] ? nearest : buttons.find((button) => button.tabIndex === 0);
  (next ?? board.querySelector<HTMLElement>(".prompt"))?.focus({ preventScroll: true });
}
