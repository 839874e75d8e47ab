// The focus stays where a person is: a card that is played is gone, and the next one of its zone takes its place.

export interface Held {
  card: string | null; // null where something else than a card had the focus
  zone: string | null;
  index: number;
}

/** What has the focus on the board; null where nothing of it has. */
export function held(board: HTMLElement): Held | null {
  const active = document.activeElement;
  if (!(active instanceof HTMLElement) || !board.contains(active)) return null;
  const zone = active.closest<HTMLElement>("[data-zone]");
  const card = active.closest<HTMLElement>("[data-card]")?.dataset["card"] ?? null;
  const index = zone ? [...zone.querySelectorAll("button")].findIndex((button) => button === active) : -1;
  return { card, zone: zone?.dataset["zone"] ?? null, index };
}

/** Put the focus back where it was, where the change of the board has taken it away. */
export function restore(board: HTMLElement, was: Held | null): void {
  const active = document.activeElement;
  if (!was || (active && active !== document.body)) return;
  const zone = [...board.querySelectorAll<HTMLElement>("[data-zone]")].find((each) => each.dataset["zone"] === was.zone);
  const buttons = [...(zone ?? board).querySelectorAll<HTMLElement>(zone ? "button" : ".near.hand button")];
  const same = buttons.find((button) => button.parentElement?.dataset["card"] === was.card);
  const next = same ?? buttons[Math.min(Math.max(was.index, 0), buttons.length - 1)] ?? board.querySelector<HTMLElement>(".prompt");
  next?.focus({ preventScroll: true });
}
