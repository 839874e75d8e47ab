// The one line that may interrupt: that it is one's turn, and what was refused. Everything else is told politely, in the log.

export interface Notice {
  text: string;
  rule: string | null; // where its reason stands in the rule book, if it is a rule
  turn: boolean; // whether it only says whose turn it is, and need not be seen
  count: number; // so that the same text said again is read again
}

let notice = $state.raw<Notice | null>(null);
let count = 0;
let fading: ReturnType<typeof setTimeout> | undefined;

/** The line that stands now. */
export function standing(): Notice | null {
  return notice;
}

/** Say something that may interrupt. */
export function interrupt(text: string, rule: string | null = null, turn = false): void {
  clearTimeout(fading);
  notice = { text, rule, turn, count: ++count };
  if (turn) fading = setTimeout(dismiss, 3000);
}

export function dismiss(): void {
  clearTimeout(fading);
  notice = null;
}
