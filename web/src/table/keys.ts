// The keys of the board: the meaning of a press, and the target of an arrow.

export type Reading = "field" | "hand" | "captured" | "score" | "events";
export type Command = { pick: number } | { read: Reading } | "help" | "back";

export type Press = Pick<
  KeyboardEvent,
  "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "isComposing" | "getModifierState"
>;

const READINGS: Record<string, Reading> = { F: "field", H: "hand", C: "captured", S: "score", L: "events" };

/**
 * Return the digit, question mark or Latin capital that a press means by itself, on any keyboard; empty for none. It is the character that
 * the key writes. The position of the key counts if it writes another sign on the row of digits, as a French one does without Shift, or
 * a letter that is not Latin.
 */
export function meant(press: Press): string {
  const { key, code } = press;
  const third = press.getModifierState("AltGraph"); // which some systems report as Ctrl and Alt
  if (press.isComposing || press.metaKey || (!third && (press.ctrlKey || press.altKey))) return "";
  const sign = key.normalize("NFKC").toUpperCase();
  if (/^[0-9?]$/.test(sign)) return sign;
  if (third || press.shiftKey) return sign === "؟" ? "?" : "";
  if (/^[A-Z]$/.test(sign)) return sign;
  const place = /^(?:(?:Digit|Numpad)(\d)|Key(.))$/.exec(code);
  if (place?.[1]) return /^(.|Dead|Process)$/u.test(key) ? place[1] : "";
  return /^(\P{Script=Latin}|Process)$/u.test(key) ? (place?.[2] ?? "") : "";
}

/** Return the command of a key; null for none. `single`: whether single-key shortcuts are on. */
export function command(press: Press, single: boolean): Command | null {
  if (press.key === "Escape") return press.ctrlKey || press.metaKey || press.altKey || press.isComposing ? null : "back";
  const key = single && meant(press);
  if (!key) return null;
  if (key === "?") return "help";
  const read = READINGS[key];
  return read ? { read } : /\d/.test(key) ? { pick: (Number(key) + 9) % 10 } : null;
}

/** Return whether a press means the only legal action; a repeated press of a held key does not. */
export const confirms = ({ key, ctrlKey, metaKey, altKey, shiftKey, repeat }: KeyboardEvent): boolean =>
  /^( |Enter)$/.test(key) && !(ctrlKey || metaKey || altKey || shiftKey || repeat);

/** Return whether the focused element takes text. */
export function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
}

export type Box = Pick<DOMRect, "left" | "top" | "width" | "height">;

/** Return the target of an arrow, Home or End from one of some boxes; null for none. */
export function step(boxes: readonly Box[], from: number, key: string): number | null {
  const here = boxes[from];
  if (!here) return null;
  if (key === "Home") return 0;
  if (key === "End") return boxes.length - 1;
  const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  if (!way) return null;
  const [across = 0, down = 0] = way;
  let best: number | null = null;
  let least = Infinity;
  boxes.forEach((box, index) => {
    const x = box.left + box.width / 2 - here.left - here.width / 2;
    const y = box.top + box.height / 2 - here.top - here.height / 2;
    const ahead = x * across + y * down;
    const aside = Math.abs(x * down) + Math.abs(y * across);
    // Straight ahead comes before aside: the other arrows reach what is beside.
    if (ahead <= 1 || aside > (across ? here.height / 3 : Infinity)) return;
    const far = ahead + 2 * aside;
    if (far < least) [best, least] = [index, far];
  });
  if (best !== null || down) return best;
  // At the end of a row the next begins.
  const next = from + across;
  return next in boxes ? next : null;
}
