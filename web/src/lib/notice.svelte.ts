// The one line that may interrupt: your turn, and refusals. Everything else goes to the log, which screen readers read politely.

export interface Notice {
  text: string;
  rule: string | null; // the address of its clause in the rule book, if the reason is a rule
  turn: boolean; // whether it only announces a turn and need not be shown
  count: number; // so that a repeated text is read again
}

let notice = $state.raw<Notice | null>(null);
let count = 0;
let fading: ReturnType<typeof setTimeout> | undefined;

/** The present line. */
export function standing(): Notice | null {
  return notice;
}

/** Show and read a line that may interrupt. */
export function interrupt(text: string, rule: string | null = null, turn = false): void {
  clearTimeout(fading);
  notice = { text, rule, turn, count: ++count };
  if (turn) fading = setTimeout(dismiss, 3000);
}

export function dismiss(): void {
  clearTimeout(fading);
  notice = null;
}
