// What the keeper of the server tells everybody, until it is cleared.

import type { Notice } from "../wire";

let texts = $state.raw<Notice["texts"]>({});

/** What is announced, in a language where it is told in that; empty where nothing is. */
export function announced(lang: string): string {
  return texts[lang] ?? Object.values(texts)[0] ?? "";
}

export function announce(notice: Notice): void {
  texts = notice.texts;
}
