// A review as a picture that can be sent to others: what the round came to, in words, and the chart.

import type { Review } from "../wire";
import { plotted, radius } from "./plot";
import { figure } from "./review";
import type { Sum } from "./words";

export interface Words extends Sum {
  title: string;
  game: string;
}

const [WIDTH, HEIGHT, EDGE, COLUMN] = [1200, 630, 60, 570];
const PAPER = { ground: "#f6f1e4", ink: "#1d1a17", soft: "#655d52", line: "#d8cdb6", edge: "#8d8271", accent: "#b02f1b" };

/** The picture, as PNG. */
export async function picture(review: Review, words: Words): Promise<Blob> {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [WIDTH, HEIGHT];
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("this browser draws no pictures");
  pen.fillStyle = PAPER.ground;
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  write(pen, words);
  draw(pen, review);
  return new Promise((done, fail) => canvas.toBlob((made) => (made ? done(made) : fail(new Error("no picture was made")))));
}

function write(pen: CanvasRenderingContext2D, { title, game, verdict, parts, judge }: Words): void {
  const family = getComputedStyle(document.documentElement).fontFamily;
  let down = EDGE;
  /** Lines of text below what is there, broken where there is no more room. */
  const lines = (text: string, size: number, colour: string, bold = false): void => {
    pen.font = `${bold ? "600 " : ""}${size}px ${family}`;
    pen.fillStyle = colour;
    for (const line of broken(pen, text, COLUMN)) {
      down += size * 1.3;
      pen.fillText(line, EDGE, down);
    }
  };
  lines(title, 30, PAPER.ink, true);
  lines(game, 24, PAPER.soft);
  down += 14;
  lines(verdict, 30, PAPER.accent, true);
  down += 14;
  for (const [index, [name, value]] of parts.entries()) {
    pen.font = `${index === parts.length - 1 ? "600 " : ""}20px ${family}`;
    const room = COLUMN - pen.measureText(value).width - 16;
    down += 36;
    pen.fillStyle = PAPER.ink;
    pen.fillText(name, EDGE, down, room);
    pen.fillText(value, EDGE + COLUMN - pen.measureText(value).width, down);
    pen.fillStyle = PAPER.line;
    pen.fillRect(EDGE, down + 9, COLUMN, 1);
  }
  pen.font = `16px ${family}`;
  pen.fillStyle = PAPER.soft;
  pen.fillText(judge, EDGE, HEIGHT - 30, WIDTH - 2 * EDGE);
}

/** A text in lines that are no wider than there is room; between words where there are any, else anywhere. */
export function broken(pen: Pick<CanvasRenderingContext2D, "measureText">, text: string, room: number): string[] {
  const found: string[] = [];
  let line = "";
  for (const part of text.match(/[\u3000-\u9fff\uff00-\uffef]|[^\s\u3000-\u9fff\uff00-\uffef]+\s*|\s+/g) ?? []) {
    if (line && pen.measureText((line + part).trimEnd()).width > room) {
      found.push(line.trimEnd());
      line = part;
    } else line += part;
  }
  return [...found, line.trimEnd()];
}

function draw(pen: CanvasRenderingContext2D, review: Review): void {
  const box = { left: EDGE + COLUMN + 90, right: WIDTH - EDGE, top: 110, bottom: HEIGHT - 110 };
  const { points, marks } = plotted(review, box);
  for (const [value, y] of marks) {
    pen.fillStyle = value === 0 ? PAPER.edge : PAPER.line;
    pen.fillRect(box.left, y, box.right - box.left, 2);
    pen.fillStyle = PAPER.soft;
    pen.fillText(value ? figure(value, true) : "0", box.left - pen.measureText("+00.0 ").width, y + 6);
  }
  pen.strokeStyle = PAPER.ink;
  pen.lineWidth = 3;
  pen.beginPath();
  for (const { x, y } of points) pen.lineTo(x, y);
  pen.stroke();
  for (const { x, y, least, most, label } of points) {
    pen.fillStyle = PAPER.edge;
    pen.fillRect(x - 3, most, 6, least - most);
    pen.fillStyle = label === "fine" ? PAPER.ink : PAPER.accent;
    pen.beginPath();
    pen.arc(x, y, radius(label) * 2, 0, 2 * Math.PI);
    pen.fill();
  }
}
