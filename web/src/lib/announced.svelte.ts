// The announcement of the server's operator to all visitors, until it is cleared.

import type { Notice } from "../wire";

let texts = $state.raw<Notice["texts"]>({});

/** Return the announcement in a language; empty if there is none in that language. */
export function announced(lang: string): string {
  return texts[lang] ?? Object.values(texts)[0] ?? "";
}

export function announce(notice: Notice): void {
  texts = notice.texts;
}
