// Movement of cards. Only transforms are animated, so there is no new layout, and nothing waits for it.

import { STILL, TAKING } from "./moments";
import type { Moves } from "./movement";

/** The positions before a change. */
export interface Scene {
  cards: Map<string, { box: DOMRect; node: HTMLElement; zone: string }>;
  zones: Map<string, DOMRect>;
  strips: DOMRect[]; // the parts of the table, in the order of the document
}

const STEP = 300; // ms of one movement
const RISE = 9; // pixels by which a capturing card is lifted
const BESIDE = 0.25; // of its width: with reduced motion, the distance of a card from the card that it takes, so that both are visible
const [FLIGHT, WAITS] = ["flight", "waits"]; // the name of the animations
const DEALT = 18; // ms between cards that are dealt together
const SLIDE = 500; // the same for a stone
const BETWEEN = 60; // ms between stones
const SIZE = 14; // size of one in pixels
const PURSE = 120; // pixels from whose middle they start, however wide a plate is
const MANY = 12; // if more cards vanish at once, such as all those of a finished round, they are not animated

/** Record the board as it is seen. Running animations then finish. */
export function look(board: HTMLElement): Scene {
  const cards = [...board.querySelectorAll<HTMLElement>("[data-card]")]
    .map((node) => ({
      box: node.getBoundingClientRect(),
      node,
      zone: node.closest<HTMLElement>("[data-zone]")?.dataset["zone"] ?? "",
    }))
    .filter(({ box }) => box.width > 0) // if there is room for numbers only, no cards are drawn
    .map((each) => [each.node.dataset["card"] ?? "", each] as const);
  const found = new Map(cards);
  // Equal cards stay in place, because they cannot be told apart.
  cards.forEach(([card], index) => cards.findIndex(([other]) => other === card) < index && found.delete(card));
  const zones = [...board.querySelectorAll<HTMLElement>("[data-zone]")].map(
    (node) => [node.dataset["zone"] ?? "", source(node)] as const,
  );
  const strips = [...board.children].map((strip) => strip.getBoundingClientRect());
  settle(board);
  return { cards: found, zones: new Map(zones), strips };
}

/** Finish all running animations. */
export function settle(board: HTMLElement): void {
  for (const animation of board.getAnimations({ subtree: true })) if ([FLIGHT, WAITS].includes(animation.id)) animation.finish();
}

/** Return where a card of a zone comes from: its last back, the zone if no back is drawn, or the seat if there is no zone. */
function source(zone: HTMLElement): DOMRect {
  const backs = zone.querySelectorAll("[data-back]");
  const box = (backs[backs.length - 1] ?? zone).getBoundingClientRect();
  return box.width || box.height ? box : (zone.closest(".seat") ?? zone).getBoundingClientRect();
}

/** Return when a capture is lifted, meets its target, and goes home, as fractions of the duration, and the duration. */
function capture(own: boolean): { lifted: number; met: number; leaves: number; whole: number } {
  const [lift, way, meet, home] = TAKING[own ? "own" : "others"];
  const whole = lift + way + meet + home;
  return { lifted: lift / whole, met: (lift + way) / whole, leaves: (lift + way + meet) / whole, whole };
}

/** Return the path of a card of a capture: the capturing card, and the captured ones that wait for it. */
const taker = (box: DOMRect, via: DOMRect, { lifted, met, leaves }: ReturnType<typeof capture>): Stop[] => [
  { box, offset: 0, easing: "cubic-bezier(0.2, 0.8, 0.2, 1)" },
  { box: new DOMRect(box.x, box.y - RISE, box.width, box.height), offset: lifted, easing: "cubic-bezier(0.3, 0, 0.2, 1)" },
  { box: via, offset: met },
  { box: via, offset: leaves, easing: "ease-in" },
];
const taken = (box: DOMRect, { leaves }: ReturnType<typeof capture>): Stop[] => [
  { box, offset: 0 },
  { box, offset: leaves, easing: "ease-in" },
];

/** A position on a path, and its time. */
interface Stop {
  box: DOMRect;
  offset: number; // as a fraction
  easing?: string;
  zIndex?: number;
}

/**
 * Move everything from its old place to its new one.
 *
 * @param lies the zones in which cards lie now, rendered or not
 * @param own whether the viewer has moved them
 * @param pace the slowness, 0 for no movement
 * @param still how long a capture is shown with reduced motion: the capturing card lies on its target, and the others at their old places
 */
export function fly(
  board: HTMLElement,
  before: Scene,
  moves: Moves,
  lies: ReadonlyMap<string, string>,
  own: boolean,
  pace: number,
  still: number,
): void {
  const via = moves.over === null ? undefined : before.cards.get(moves.over)?.box;
  if (pace === 0 && !(via && still)) return;
  const now = look(board);
  const times = capture(own);
  const lead = (from: DOMRect, via: DOMRect): Stop[] => (pace ? taker(from, via, times) : [met(via, board)]);
  const others = (box: DOMRect): Stop[] => (pace ? taken(box, times) : [{ box, offset: 0 }]);
  // An animation without a duration that starts late is shown at its first stop until then.
  const timing = pace ? { duration: times.whole * pace } : { duration: 0, delay: STILL * still };
  let dealt = 0;
  if (pace) slide(board, before, now, moves, pace);
  for (const [card, { box, node }] of now.cards) {
    const known = before.cards.get(card)?.box;
    const from = known ?? fit(before.zones.get(moves.from.get(card) ?? ""), box);
    if (!from || same(from, box)) continue;
    const delay = known ? 0 : dealt++ * DEALT * pace;
    const leads = via && card === moves.lead;
    const waits = via && known && (!pace || node.dataset["fresh"] !== undefined);
    if (!pace && !leads && !waits) continue;
    const stops = leads ? lead(from, via) : waits ? others(from) : [{ box: from, offset: 0 }];
    animate(node, course([...stops, { box, offset: 1 }], box), {
      delay,
      ...(leads || waits ? timing : { duration: STEP * pace }),
    });
  }
  // Cards that are no longer rendered fly to their new zone, as pictures only.
  const gone = [...before.cards].flatMap(([card, { box, node, zone }]): Ghost[] => {
    const goal = moves.to.get(card) ?? lies.get(card);
    if (now.cards.has(card) || !goal || goal === zone) return [];
    const stops = !via ? [{ box, offset: 0 }] : card === moves.lead ? lead(box, via) : others(box);
    return [{ card, like: node, stops, goal: fit(now.zones.get(goal), box), timing: via ? timing : { duration: STEP * pace } }];
  });
  // A capturing card that is not rendered comes with them.
  const [from, goal] = [moves.from.get(moves.lead ?? ""), lies.get(moves.lead ?? "")];
  const like = before.cards.get(moves.over ?? "")?.node;
  const begins = via && fit(before.zones.get(from ?? ""), via);
  if (moves.lead && via && begins && like && !now.cards.has(moves.lead)) {
    gone.push({ card: moves.lead, like, stops: lead(begins, via), goal: fit(now.zones.get(goal ?? ""), via), timing });
  }
  if (gone.length <= MANY) for (const ghost of gone) haunt(board, ghost);
  if (!pace) for (const press of ["pointerdown", "keydown"]) addEventListener(press, end, { once: true, capture: true });
}

/** Let strips that have moved slide to their places. The cards in them take ways of their own, which this does not change. */
function slide(board: HTMLElement, before: Scene, now: Scene, moves: Moves, pace: number): void {
  const to = (node: Element, x: number, y: number): unknown =>
    node.animate({ translate: [`${x}px ${y}px`, "0 0"] }, { duration: STEP * pace, easing: "ease-in-out", id: FLIGHT });
  [...board.children].forEach((strip, index) => {
    const [was, is] = [before.strips[index], now.strips[index]];
    if (!was || !is || same(was, is)) return;
    const [x, y] = [was.left - is.left, was.top - is.top];
    to(strip, x, y);
    for (const [card, { node }] of now.cards)
      if ((before.cards.has(card) || moves.from.has(card)) && strip.contains(node)) to(node, -x, -y);
  });
}

const end = (): void => settle(document.documentElement);

/** Return where a card lies that has met its target, with reduced motion. */
const met = ({ x, y, width, height }: DOMRect, board: HTMLElement): Stop => {
  const most = board.getBoundingClientRect().right - width;
  return { box: new DOMRect(Math.min(x + width * BESIDE, most), y + width * BESIDE, width, height), offset: 0, zIndex: 4 };
};

/** A copy of a card that is rendered only during its flight. */
interface Ghost {
  card: string;
  like: HTMLElement;
  stops: readonly Stop[];
  goal: DOMRect | undefined;
  timing: KeyframeAnimationOptions;
}

function haunt(board: HTMLElement, { card, like, stops, goal, timing }: Ghost): void {
  const drawing = like.querySelector("svg.card")?.cloneNode(true);
  if (!(drawing instanceof SVGElement) || !goal) return;
  const way = [...stops, { box: goal, offset: 1 }];
  for (const use of drawing.querySelectorAll("use"))
    use.setAttribute("href", (use.getAttribute("href") ?? "").replace(/[^#-]+$/, card));
  const lies = way.reduce((large, { box }) => (box.width > large.width ? box : large), goal); // rendered large, and scaled down
  pass(board, drawing, lies);
  const flown = animate(drawing, course(way, lies), timing);
  flown.onfinish = () => drawing.remove();
}

/** Lay an element over the board, in a box, that takes no press. */
function pass(board: HTMLElement, thing: HTMLElement | SVGElement, box: DOMRect): void {
  const origin = board.getBoundingClientRect();
  const { style } = thing;
  style.position = "absolute";
  style.left = `${box.left - origin.left}px`;
  style.top = `${box.top - origin.top}px`;
  style.width = `${box.width}px`;
  style.pointerEvents = "none";
  board.append(thing);
}

/** Let stones slide from payers to receivers, by the names of their places. */
export function pay(board: HTMLElement, stones: readonly (readonly [from: string, to: string])[], pace: number): void {
  if (pace === 0) return;
  const place = (name: string): DOMRect | undefined =>
    [...board.querySelectorAll<HTMLElement>("[data-purse]")]
      .find((each) => each.dataset["purse"] === name)
      ?.getBoundingClientRect();
  stones.forEach(([from, to], index) => {
    const [giver, getter] = [place(from), place(to)];
    if (!giver || !getter) return;
    const stone = document.createElement("i");
    stone.className = "stone";
    stone.ariaHidden = "true";
    const [left, right] = [giver, getter].map(
      (box) => new DOMRect(box.left + Math.min(box.width, PURSE) / 2, box.top + box.height / 2 - SIZE / 2, SIZE, SIZE),
    ) as [DOMRect, DOMRect];
    pass(board, stone, right);
    const slid = animate(stone, [placed(left, right), placed(right, right)], {
      duration: SLIDE * pace,
      delay: index * BETWEEN * pace,
    });
    slid.onfinish = () => stone.remove();
  });
}

/** Let cards move from the stock to their places, packet after packet, within a total time in ms. */
export function deal(board: HTMLElement, before: Scene, packets: readonly [string, number][], within: number, pace: number): void {
  if (pace === 0) return;
  const stock = [...board.querySelectorAll<HTMLElement>("[data-zone]")].find((zone) => isAt(zone, "stock"));
  const left = stock ? source(stock) : before.zones.get("stock/"); // after a deal of all cards there is none
  const waiting = new Map<string, HTMLElement[]>();
  packets.forEach(([place, cards], index) => {
    const delay = (index * (within - STEP) * pace) / packets.length;
    const lying = waiting.get(place) ?? lyingAt(board, place);
    waiting.set(place, lying.slice(cards));
    for (const node of lying.slice(0, cards)) {
      const box = node.getBoundingClientRect();
      const from = fit(left ?? board.getBoundingClientRect(), box);
      if (!from) continue;
      node.animate({ opacity: [0, 0] }, { duration: delay, id: WAITS }); // cards not yet dealt are hidden
      animate(node, [placed(from, box), placed(box, box)], { duration: STEP * pace, delay });
    }
  });
}

const isAt = (zone: HTMLElement, place: string): boolean => zone.dataset["zone"]?.split("/")[0] === place;

const lyingAt = (board: HTMLElement, place: string): HTMLElement[] =>
  [...board.querySelectorAll<HTMLElement>("[data-zone]")]
    .filter((zone) => isAt(zone, place))
    .flatMap((zone) => [...zone.querySelectorAll<HTMLElement>("[data-card], [data-back]")]);

/** Let an element that represents a yaku light up once. */
export function glow(yaku: string | null, pace: number): void {
  if (yaku === null || pace === 0) return;
  const light = [{ boxShadow: "0 0 0 0 var(--accent)" }, { boxShadow: "0 0 0 4px var(--accent)" }, { boxShadow: "none" }];
  for (const each of document.querySelectorAll<HTMLElement>("[data-yaku]"))
    if (each.dataset["yaku"] === yaku) each.animate(light, { duration: 2 * STEP * pace, id: "glow" });
}

function animate(node: Element, frames: Keyframe[], timing: KeyframeAnimationOptions): Animation {
  const zone = node.closest("[data-zone]");
  const options: KeyframeAnimationOptions = { easing: "ease-in-out", fill: "backwards", ...timing, id: FLIGHT };
  // Above all other cards, and its zone above all other zones, during its flight.
  zone?.animate({ zIndex: [2, 2] }, { ...options, easing: "linear" });
  return node.animate(
    frames.map((frame) => ({ easing: "ease-in-out", zIndex: 3, ...frame })),
    { ...options, easing: "linear" },
  );
}

/** Return the keyframes of a path of an element in a box. */
const course = (way: readonly Stop[], lies: DOMRect): Keyframe[] =>
  way.map(({ box, ...when }) => ({ ...placed(box, lies), ...when }));

/** Return the keyframe that shows an element of one box in another. */
function placed(seen: DOMRect, lies: DOMRect): Keyframe {
  const scale = seen.width / lies.width;
  const transform = `translate(${seen.left - lies.left}px, ${seen.top - lies.top}px) scale(${scale})`;
  return { transform, transformOrigin: "0 0", visibility: "visible" }; // also if the target shows only a number of cards
}

/** Return the box of a card in the middle of another box. */
function fit(zone: DOMRect | undefined, card: DOMRect): DOMRect | undefined {
  if (!zone) return undefined;
  const height = Math.min(zone.height, card.height);
  const width = Math.min(height * (card.width / card.height), zone.width || card.width);
  return new DOMRect(zone.left + (zone.width - width) / 2, zone.top + (zone.height - height) / 2, width, height);
}

const same = (a: DOMRect, b: DOMRect): boolean => Math.abs(a.left - b.left) < 1 && Math.abs(a.top - b.top) < 1;
