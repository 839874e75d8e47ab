// The texts of the page. Each file in `lang` is a language; a new file adds one.

import type en from "../lang/en.json";
import { settings } from "./settings.svelte";

export type Key = keyof typeof en;
type Texts = Record<Key, string>;

// By address and not in the bundle: only one language is loaded, and it is data.
const files = import.meta.glob<string>("../lang/*.json", { eager: true, query: "?url", import: "default" });
const USUAL = "en";

/** The codes of the available languages. */
export const languages: string[] = Object.keys(files)
  .map((file) => file.slice(file.lastIndexOf("/") + 1, -".json".length))
  .sort();

let shown = $state.raw<{ lang: string; texts: Partial<Texts> }>({ lang: "", texts: {} });

/** The chosen language, or the browser's if the page has it. */
export function wanted(): string {
  const asked = [settings.lang, ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return asked.find((lang) => languages.includes(lang)) ?? USUAL;
}

/** The current language. */
export function language(): string {
  return shown.lang;
}

/** Load and show the wanted language. */
export async function speak(): Promise<void> {
  const lang = wanted();
  const file = files[`../lang/${lang}.json`];
  if (!file || lang === shown.lang) return;
  const answer = await fetch(file);
  if (!answer.ok) throw new Error(`${file}: ${answer.status}`); // the server may have been upgraded since the page was opened
  const texts = (await answer.json()) as Texts;
  if (lang === wanted()) {
    shown = { lang, texts };
    document.documentElement.lang = lang;
  }
}

/** Return a text of the page with its arguments in place of the names in braces. */
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

/** Return a text that the server sent in every language. */
export function localized(words: Readonly<Record<string, string>>): string {
  return words[shown.lang] ?? words[USUAL] ?? Object.values(words)[0] ?? "";
}

/** Return a language's own name. */
export function ownName(lang: string): string {
  return new Intl.DisplayNames([lang], { type: "language" }).of(lang) ?? lang;
}
