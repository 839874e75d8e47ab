// What the page itself says. There is one file a language in `lang`; adding one adds the language.

import type en from "../lang/en.json";
import { settings } from "./settings.svelte";

export type Key = keyof typeof en;
type Texts = Record<Key, string>;

// By address and not as a part of the program: one language is loaded, and it is no code.
const files = import.meta.glob<string>("../lang/*.json", { eager: true, query: "?url", import: "default" });
const USUAL = "en";

/** The languages there are, by their codes. */
export const languages: string[] = Object.keys(files)
  .map((file) => file.slice(file.lastIndexOf("/") + 1, -".json".length))
  .sort();

let shown = $state.raw<{ lang: string; texts: Partial<Texts> }>({ lang: "", texts: {} });

/** The language that was chosen, or the browser's where there is a file for it. */
export function wanted(): string {
  const asked = [settings.lang, ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return asked.find((lang) => languages.includes(lang)) ?? USUAL;
}

/** The language that is shown now. */
export function language(): string {
  return shown.lang;
}

/** Show the language that is wanted. */
export async function speak(): Promise<void> {
  const lang = wanted();
  const file = files[`../lang/${lang}.json`];
  if (!file || lang === shown.lang) return;
  const answer = await fetch(file);
  if (!answer.ok) throw new Error(`${file}: ${answer.status}`); // the server may have been renewed since the page was opened
  const texts = (await answer.json()) as Texts;
  if (lang === wanted()) {
    shown = { lang, texts };
    document.documentElement.lang = lang;
  }
}

/** A text of the page, with its arguments in place of the names in braces. */
export function say(key: Key, args: Record<string, string | number> = {}): string {
  return fill(shown.texts[key] ?? key, args);
}

/**
 * A text with its arguments in place of the names in braces; after a number, `{n:card|cards}`, in the form that goes with it. Nothing
 * else in braces is touched.
 */
export function fill(text: string, args: Record<string, string | number>): string {
  return text.replace(/\{([^{}:]+)(?::([^{}|]*)\|([^{}|]*))?\}/g, (braces, name: string, one?: string, more?: string) => {
    if (one === undefined) return String(args[name] ?? braces);
    return `${/^[-+−]?1$/.test(String(args[name])) ? one : more}`;
  });
}

/** A text of the server that came in every language. */
export function told(words: Readonly<Record<string, string>>): string {
  return words[shown.lang] ?? words[USUAL] ?? Object.values(words)[0] ?? "";
}

/** What a language calls itself. */
export function ownName(lang: string): string {
  return new Intl.DisplayNames([lang], { type: "language" }).of(lang) ?? lang;
}
