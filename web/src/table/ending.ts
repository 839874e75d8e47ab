// The end of a round as a picture to share: the winner, the reason, and the scores.

import { Column, EDGE, HEIGHT, letters, PAPER, type Pen, sheet, WIDTH } from "../lib/paper";
import { SEAL } from "./seal";

export { send } from "../lib/paper";

export interface Ending {
  game: string;
  result: string;
  why: string;
  decided: string; // the line of the score that the cards made; else empty
  cards: readonly string[];
  sprite: string; // the address of the drawn cards
  bars: readonly { name: string; points: number; from: number }[]; // scores, and the target from which on a score is a gain
  sealed: boolean;
}

const COLUMN = 520;
const [CARD_WIDTH, CARD_HEIGHT] = [62, 102]; // as in the drawings
const GAP = 14;
const STAMP = 130; // the width of the seal

/** Return the picture as PNG. */
export const picture = (ending: Ending): Promise<Blob> =>
  sheet(async (pen) => {
    const column = new Column(pen, COLUMN);
    column.write(ending.game, 28, PAPER.soft);
    column.down += 10;
    column.write(ending.result, 52, PAPER.ink, true);
    if (ending.why) column.write(ending.why, 30, PAPER.ink);
    column.down += 10;
    if (ending.decided) column.write(ending.decided, 30, PAPER.accent, true);
    bars(pen, ending, column.down);
    if (ending.sealed) stamp(pen);
    if (ending.cards.length) await lay(pen, ending);
    pen.font = letters(24);
    pen.fillStyle = PAPER.soft;
    pen.fillText("Mekuri", EDGE, HEIGHT - 36);
  });

function bars(pen: Pen, { bars: scores }: Ending, top: number): void {
  const each = Math.min(64, (HEIGHT - 80 - top) / Math.max(1, scores.length));
  if (each < 34) return; // the words have filled the space
  const most = Math.max(...scores.map(({ points, from }) => Math.max(points, from)), 1);
  scores.forEach(({ name, points, from }, index) => {
    const line = HEIGHT - 90 - (scores.length - 1 - index) * each;
    pen.fillStyle = PAPER.ink;
    pen.font = letters(22);
    pen.fillText(name, EDGE, line - 8, COLUMN - 90);
    pen.font = letters(22, true);
    pen.fillText(`${points}`, EDGE + COLUMN - pen.measureText(`${points}`).width, line - 8);
    pen.fillStyle = PAPER.line;
    pen.fillRect(EDGE, line, COLUMN, 8);
    pen.fillStyle = points >= from ? PAPER.accent : PAPER.ink;
    pen.fillRect(EDGE, line, (COLUMN * Math.max(0, points)) / most, 8);
  });
}

function stamp(pen: Pen): void {
  pen.save();
  pen.translate(WIDTH - EDGE - STAMP, EDGE - 20);
  pen.scale(STAMP / 104, STAMP / 104);
  pen.fillStyle = PAPER.accent;
  pen.fill(new Path2D(SEAL.edge));
  [pen.strokeStyle, pen.lineWidth, pen.lineCap, pen.lineJoin] = [PAPER.ground, 5, "round", "round"];
  for (const stroke of SEAL.strokes) pen.stroke(new Path2D(stroke));
  pen.restore();
}

/** Lay the cards in rows, as large as fits. */
async function lay(pen: Pen, { cards, sprite, sealed }: Ending): Promise<void> {
  const pack = new DOMParser().parseFromString(await (await fetch(sprite)).text(), "image/svg+xml");
  const box = { left: EDGE + COLUMN + 50, top: sealed ? EDGE + STAMP : EDGE, right: WIDTH - EDGE, bottom: HEIGHT - EDGE };
  const [width, height] = [box.right - box.left, box.bottom - box.top];
  const sized = [1, 2, 3].map((rows) => {
    const across = Math.ceil(cards.length / rows);
    const wide = Math.min((width - (across - 1) * GAP) / across, (((height - (rows - 1) * GAP) / rows) * CARD_WIDTH) / CARD_HEIGHT);
    return { rows, across, wide };
  });
  const { rows, across, wide } = sized.reduce((best, one) => (one.wide > best.wide ? one : best));
  const high = (wide * CARD_HEIGHT) / CARD_WIDTH;
  const left = box.left + (width - across * wide - (across - 1) * GAP) / 2;
  const top = box.top + (height - rows * high - (rows - 1) * GAP) / 2;
  cards.forEach((card, index) => {
    const at = { x: left + (index % across) * (wide + GAP), y: top + Math.floor(index / across) * (high + GAP) };
    const drawing = pack.getElementById(card);
    if (drawing) trace(pen, drawing, at.x, at.y, wide / CARD_WIDTH);
  });
}

/** Draw a card shape by shape. The page's content policy forbids loading pictures that the page makes itself. */
function trace(pen: Pen, drawing: Element, left: number, top: number, scale: number): void {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const attributes = { viewBox: `0 0 ${CARD_WIDTH} ${CARD_HEIGHT}`, width: `${CARD_WIDTH}`, height: `${CARD_HEIGHT}` };
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
  Object.assign(svg.style, { position: "fixed", visibility: "hidden" });
  svg.append(...[...drawing.children].map((child) => document.importNode(child, true)));
  document.body.append(svg); // shapes have a style and a place only in a document
  pen.save();
  const edge = new Path2D();
  edge.roundRect(left, top, CARD_WIDTH * scale, CARD_HEIGHT * scale, 4 * scale);
  pen.clip(edge);
  try {
    for (const shape of svg.querySelectorAll<SVGGraphicsElement>("path, rect, circle, text")) paint(pen, shape, left, top, scale);
  } finally {
    pen.restore();
    svg.remove();
  }
}

/** Draw one shape of a card whose corner is at `left` and `top`. */
function paint(pen: Pen, shape: SVGGraphicsElement, left: number, top: number, scale: number): void {
  const [style, place] = [getComputedStyle(shape), shape.getCTM()];
  if (!place) return;
  pen.save();
  pen.translate(left, top);
  pen.scale(scale, scale);
  pen.transform(place.a, place.b, place.c, place.d, place.e, place.f);
  pen.globalAlpha = Number(style.opacity);
  [pen.fillStyle, pen.strokeStyle, pen.lineWidth] = [style.fill, style.stroke, parseFloat(style.strokeWidth)];
  [pen.lineCap, pen.lineJoin] = [style.strokeLinecap as CanvasLineCap, style.strokeLinejoin as CanvasLineJoin];
  pen.setLineDash(style.strokeDasharray === "none" ? [] : style.strokeDasharray.split(/[ ,]+/).map(parseFloat));
  pen.lineDashOffset = parseFloat(style.strokeDashoffset);
  if (shape instanceof SVGTextElement) {
    pen.font = style.font;
    pen.textAlign = style.textAnchor === "middle" ? "center" : "start";
    if (style.fill !== "none") pen.fillText(shape.textContent, ...number(shape, "x", "y"));
  } else {
    const path = outline(shape);
    if (style.fill !== "none") pen.fill(path, style.fillRule as CanvasFillRule);
    if (style.stroke !== "none" && parseFloat(style.strokeWidth)) pen.stroke(path);
  }
  pen.restore();
}

/** Return the outline of a shape. */
function outline(shape: SVGGraphicsElement): Path2D {
  if (shape instanceof SVGPathElement) return new Path2D(shape.getAttribute("d") ?? "");
  const path = new Path2D();
  if (shape instanceof SVGCircleElement) {
    const [x, y, r] = number(shape, "cx", "cy", "r");
    path.arc(x, y, r, 0, 2 * Math.PI);
  } else {
    const [x, y, width, height, rx] = number(shape, "x", "y", "width", "height", "rx");
    path.roundRect(x, y, width, height, rx);
  }
  return path;
}

/** Return attributes of a shape as numbers: 0 if it lacks one. */
const number = <const Names extends readonly string[]>(shape: Element, ...names: Names): { [K in keyof Names]: number } =>
  names.map((name) => Number(shape.getAttribute(name) ?? 0)) as { [K in keyof Names]: number };
