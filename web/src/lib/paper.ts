// Pictures to share: a sheet of paper with words and cards, drawn on a canvas.

export const [WIDTH, HEIGHT, EDGE] = [1200, 630, 60];
export const PAPER = {
  ground: "#f6f1e4",
  ink: "#1d1a17",
  soft: "#655d52",
  line: "#d8cdb6",
  edge: "#8d8271",
  accent: "#b02f1b",
};

export type Pen = CanvasRenderingContext2D;

/** Return a sheet with its drawing as PNG. */
export async function sheet(draw: (pen: Pen) => void | Promise<void>): Promise<Blob> {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [WIDTH, HEIGHT];
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("this browser draws no pictures");
  pen.fillStyle = PAPER.ground;
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  await draw(pen);
  return new Promise((done, fail) => canvas.toBlob((made) => (made ? done(made) : fail(new Error("no picture was made")))));
}

/** Return the page's font at a size in pixels. */
export const letters = (size: number, bold = false): string =>
  `${bold ? "600 " : ""}${size}px ${getComputedStyle(document.documentElement).fontFamily}`;

/** Draw lines of text below one another, wrapped to the width. */
export class Column {
  constructor(
    private readonly pen: Pen,
    private readonly room: number,
    public down = EDGE,
  ) {}

  write(text: string, size: number, colour: string, bold = false): void {
    this.pen.font = letters(size, bold);
    this.pen.fillStyle = colour;
    for (const line of broken(this.pen, text, this.room)) {
      this.down += size * 1.3;
      this.pen.fillText(line, EDGE, this.down);
    }
  }
}

/** Wrap a text to a width: between words if it has any, else anywhere. */
export function broken(pen: Pick<Pen, "measureText">, text: string, room: number): string[] {
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

/** Share a picture if the device supports it, else save it. */
export async function send(picture: Blob, name: string): Promise<void> {
  const files = [new File([picture], name, { type: picture.type })];
  if (matchMedia("(pointer: coarse)").matches && navigator.canShare?.({ files })) {
    // The player may cancel the dialog, which sends nothing.
    return navigator.share({ files }).catch((error: unknown) => {
      if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
    });
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(picture);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
