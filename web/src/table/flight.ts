// Cards that are seen to move. Only transforms are animated, so that nothing is laid out anew, and nothing ever waits for it.

import type { Moves } from "./movement";

/** Where everything was before a change. */
export interface Scene {
  cards: Map<string, { box: DOMRect; node: HTMLElement }>;
  zones: Map<string, DOMRect>;
}

const STEP = 300; // ms, of one movement
const DEALT = 18; // ms between cards that are dealt together
const MANY = 12; // cards that vanish at once are not followed, such as all those of a round that is over

/** Look at the board as it is. What still moves is there at once. */
export function look(board: HTMLElement): Scene {
  for (const animation of board.getAnimations({ subtree: true })) {
    if (animation.id === "flight") animation.finish();
  }
  const cards = [...board.querySelectorAll<HTMLElement>("[data-card]")].map(
    (node) => [node.dataset["card"] ?? "", { box: node.getBoundingClientRect(), node }] as const,
  );
  const found = new Map(cards);
  // Cards that are alike stay where they are: nobody knows which is which.
  cards.forEach(([card], index) => cards.findIndex(([other]) => other === card) < index && found.delete(card));
  const zones = [...board.querySelectorAll<HTMLElement>("[data-zone]")].map(
    (node) => [node.dataset["zone"] ?? "", source(node)] as const,
  );
  return { cards: found, zones: new Map(zones) };
}

/** Where a card of a zone is taken from: its last back, or the whole zone where none is drawn. */
function source(zone: HTMLElement): DOMRect {
  const backs = zone.querySelectorAll("[data-back]");
  return (backs[backs.length - 1] ?? zone).getBoundingClientRect();
}

/** Let everything that has moved come from where it was. `pace` is how slow; 0 is not at all. */
export function fly(board: HTMLElement, before: Scene, moves: Moves, pace: number): void {
  if (pace === 0) return;
  const now = look(board);
  const via = moves.over === null ? undefined : before.cards.get(moves.over)?.box;
  let dealt = 0;
  for (const [card, { box, node }] of now.cards) {
    const known = before.cards.get(card)?.box;
    const from = known ?? fit(before.zones.get(moves.from.get(card) ?? ""), box);
    if (!from || same(from, box)) continue;
    const delay = known ? 0 : dealt++ * DEALT * pace;
    const frames: Keyframe[] = [placed(from, box), placed(box, box)];
    if (via && card === moves.lead) frames.splice(1, 0, placed(via, box));
    // What is taken waits for the card that takes it.
    else if (via && known && node.dataset["fresh"] !== undefined) frames.splice(1, 0, placed(from, box));
    animate(node, frames, { duration: STEP * pace * (frames.length - 1), delay });
  }
  if (moves.to.size <= MANY) vanish(board, before, now, moves, pace);
}

/** Let cards come from the stock to where they lie, packet after packet, all of it within so many milliseconds. */
export function deal(board: HTMLElement, before: Scene, packets: readonly [string, number][], within: number, pace: number): void {
  if (pace === 0) return;
  const stock = [...board.querySelectorAll<HTMLElement>("[data-zone]")].find((zone) => isAt(zone, "stock"));
  const left = stock ? source(stock) : before.zones.get("stock/"); // where all is dealt there is none any more
  const waiting = new Map<string, HTMLElement[]>();
  packets.forEach(([place, cards], index) => {
    const delay = (index * (within - STEP) * pace) / packets.length;
    const lying = waiting.get(place) ?? lyingAt(board, place);
    waiting.set(place, lying.slice(cards));
    for (const node of lying.slice(0, cards)) {
      const box = node.getBoundingClientRect();
      const from = fit(left ?? board.getBoundingClientRect(), box);
      if (from) animate(node, [placed(from, box), placed(box, box)], { duration: STEP * pace, delay });
    }
  });
}

const isAt = (zone: HTMLElement, place: string): boolean => zone.dataset["zone"]?.split("/")[0] === place;

const lyingAt = (board: HTMLElement, place: string): HTMLElement[] =>
  [...board.querySelectorAll<HTMLElement>("[data-zone]")]
    .filter((zone) => isAt(zone, place))
    .flatMap((zone) => [...zone.querySelectorAll<HTMLElement>("[data-card], [data-back]")]);

/** Let what stands for a yaku on the page light up once. */
export function glow(yaku: string | null, pace: number): void {
  if (yaku === null || pace === 0) return;
  const light = [{ boxShadow: "0 0 0 0 var(--accent)" }, { boxShadow: "0 0 0 4px var(--accent)" }, { boxShadow: "none" }];
  for (const each of document.querySelectorAll<HTMLElement>("[data-yaku]"))
    if (each.dataset["yaku"] === yaku) each.animate(light, { duration: 2 * STEP * pace, id: "glow" });
}

/** Cards that are no longer seen fly to where they have gone, as pictures only. */
function vanish(board: HTMLElement, before: Scene, now: Scene, moves: Moves, pace: number): void {
  for (const [card, zone] of moves.to) {
    const old = before.cards.get(card);
    const goal = old && fit(now.zones.get(zone), old.box);
    const drawing = old?.node.querySelector("svg")?.cloneNode(true);
    if (!old || !goal || !(drawing instanceof SVGElement)) continue;
    const origin = board.getBoundingClientRect();
    const { style } = drawing;
    style.position = "absolute";
    style.left = `${old.box.left - origin.left}px`;
    style.top = `${old.box.top - origin.top}px`;
    style.width = `${old.box.width}px`;
    style.pointerEvents = "none";
    board.append(drawing);
    const gone = animate(drawing, [placed(old.box, old.box), placed(goal, old.box)], { duration: STEP * pace });
    gone.onfinish = () => drawing.remove();
  }
}

function animate(node: Element, frames: Keyframe[], timing: KeyframeAnimationOptions): Animation {
  const zone = node.closest("[data-zone]");
  const options: KeyframeAnimationOptions = { easing: "ease-in-out", fill: "backwards", ...timing, id: "flight" };
  // Above all other cards, and its zone above all other zones, for as long as it flies.
  zone?.animate({ zIndex: [2, 2] }, { ...options, easing: "linear" });
  return node.animate(
    frames.map((frame) => ({ easing: "ease-in-out", zIndex: 3, ...frame })),
    { ...options, easing: "linear" },
  );
}

/** The keyframe in which what lies in one box is seen in another. */
function placed(seen: DOMRect, lies: DOMRect): Keyframe {
  const scale = seen.width / lies.width;
  const transform = `translate(${seen.left - lies.left}px, ${seen.top - lies.top}px) scale(${scale})`;
  return { transform, transformOrigin: "0 0", visibility: "visible" }; // also to where only the number of cards is told
}

/** The box of a card that lies in the middle of another box. */
function fit(zone: DOMRect | undefined, card: DOMRect): DOMRect | undefined {
  if (!zone) return undefined;
  const height = Math.min(zone.height, card.height);
  const width = Math.min(height * (card.width / card.height), zone.width || card.width);
  return new DOMRect(zone.left + (zone.width - width) / 2, zone.top + (zone.height - height) / 2, width, height);
}

const same = (a: DOMRect, b: DOMRect): boolean => Math.abs(a.left - b.left) < 1 && Math.abs(a.top - b.top) < 1;
