// A review as a picture to share: the summary of the round in words, and the chart.

import { Column, EDGE, HEIGHT, letters, PAPER, type Pen, sheet, WIDTH } from "../lib/paper";
import type { Review } from "../wire";
import { plotted, radius } from "./plot";
import { figure } from "./review";
import type { Sum } from "./words";

export { send } from "../lib/paper";

export interface Words extends Sum {
  title: string;
  game: string;
}

const COLUMN = 570;

/** Return the picture as PNG. */
export const picture = (review: Review, words: Words): Promise<Blob> =>
  sheet((pen) => {
    write(pen, words);
    draw(pen, review);
  });

function write(pen: Pen, { title, game, verdict, parts, judge }: Words): void {
  const column = new Column(pen, COLUMN);
  column.write(title, 30, PAPER.ink, true);
  column.write(game, 24, PAPER.soft);
  column.down += 14;
  column.write(verdict, 30, PAPER.accent, true);
  let down = column.down + 14;
  for (const [index, [name, value]] of parts.entries()) {
    pen.font = letters(20, index === parts.length - 1);
    const room = COLUMN - pen.measureText(value).width - 16;
    down += 36;
    pen.fillStyle = PAPER.ink;
    pen.fillText(name, EDGE, down, room);
    pen.fillText(value, EDGE + COLUMN - pen.measureText(value).width, down);
    pen.fillStyle = PAPER.line;
    pen.fillRect(EDGE, down + 9, COLUMN, 1);
  }
  pen.font = letters(16);
  pen.fillStyle = PAPER.soft;
  pen.fillText(judge, EDGE, HEIGHT - 30, WIDTH - 2 * EDGE);
}

function draw(pen: Pen, review: Review): void {
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
