// Search in all rule books: clauses, yaku and paragraphs of the short forms.

import type { RuleBook } from "../wire";
import { holds, matches } from "./book";

/** A match with every word of the search, and its location. */
export interface Found {
  game: string;
  name: string; // of the game
  title: string; // the title: a chapter, a yaku, a paragraph
  text: string;
  anchor: string;
}

/** Return the clauses, yaku and short-form paragraphs of a book with every word of the search. */
export function foundIn(book: RuleBook, wanted: string): Found[] {
  const { game, name } = book;
  const clauses = book.chapters.flatMap(({ title, clauses }) =>
    clauses.filter((clause) => holds(clause, wanted)).map(({ id, text }) => ({ game, name, title, text, anchor: id })),
  );
  const yaku = book.yaku
    .filter((each) => matches(`${each.name} ${each.kana} ${each.reading}`, wanted))
    .map((each) => ({ game, name, title: each.name, text: `${each.kana} ${each.reading}`, anchor: "yaku" }));
  const short = book.short
    .filter(({ title, text }) => matches(`${title} ${text}`, wanted))
    .map(({ title, text }) => ({ game, name, title, text, anchor: "short" }));
  return [...clauses, ...yaku, ...short];
}
