// A rule book prepared for reading. Its content comes from the server; this module knows no rule.

import { zoneKey } from "../table/layout";
import type { Catalogue, Chapter, ClauseText, Option, RuleBook, SourceRow, Zone } from "../wire";

export const STATUSES = ["attested", "inferred", "reconstructed", "house"] as const;
export type StatusName = (typeof STATUSES)[number];

/** A chapter with an anchor of its own. */
export interface Section {
  anchor: string;
  chapter: Chapter;
  again: boolean; // whether the book resumes an earlier chapter here
}

/** Return the chapters with their anchors. A resumed chapter has the same id, so its anchor differs. */
export function sections(chapters: readonly Chapter[]): Section[] {
  const seen = new Map<string, number>();
  return chapters.map((chapter) => {
    const times = (seen.get(chapter.id) ?? 0) + 1;
    seen.set(chapter.id, times);
    const anchor = `chapter-${chapter.id}${times > 1 ? `-${times}` : ""}`;
    return { anchor, chapter, again: times > 1 };
  });
}

/** Return the cards of each number in order; the extra card without a number comes last. */
export function byNumber(cards: readonly string[]): { number: string; cards: string[] }[] {
  const found = new Map<string, string[]>();
  for (const card of cards) found.set(card.slice(0, -1), [...(found.get(card.slice(0, -1)) ?? []), card]);
  return [...found].map(([number, row]) => ({ number, cards: row }));
}

/** Return the number of clauses of a book with each status. */
export function statusCounts(book: RuleBook): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of book.chapters.flatMap((chapter) => chapter.clauses)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Return whether a text has every word of a search. */
export function matches(text: string, wanted: string): boolean {
  const lower = text.toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}

/** Return whether a clause has every word of a search in its sentence, its argument or its id. */
export function holds(clause: ClauseText, wanted: string): boolean {
  return matches(`${clause.text} ${clause.why} ${clause.id}`, wanted);
}

/** Return the source sentences of a clause, by work in order of first use. */
export function byWork(sources: readonly SourceRow[]): [work: string, rows: SourceRow[]][] {
  const found = new Map<string, SourceRow[]>();
  for (const source of sources) {
    const rows = found.get(source.work);
    if (rows) rows.push(source);
    else found.set(source.work, [source]);
  }
  return [...found];
}

export interface Step {
  seat: number | null; // the player, if the text must name one
  action: string;
}

/** Return the actions of an example, in order. */
export function steps(action: string): Step[] {
  return action
    .split(" ")
    .filter(Boolean)
    .map((step) => {
      const colon = step.indexOf(":");
      return colon < 0 ? { seat: null, action: step } : { seat: Number(step.slice(0, colon)), action: step.slice(colon + 1) };
    });
}

/** Return the cards that have moved or were not visible before. */
export function moved(before: readonly Zone[], after: readonly Zone[]): string[] {
  const places = (zones: readonly Zone[]): Map<string, string> =>
    new Map(zones.flatMap((zone) => zone.cards.flatMap((card) => (card === null ? [] : [[card, zoneKey(zone)] as const]))));
  const earlier = places(before);
  return [...places(after)].filter(([card, zone]) => earlier.get(card) !== zone).map(([card]) => card);
}

/** Return the name of an option's value; a number is its own name. */
export function valueText(option: Option | undefined, value: string, catalogue: Catalogue): string {
  return option?.value_texts[value]?.[catalogue.lang] ?? catalogue.texts["values"]?.[value] ?? value;
}

export interface Piece {
  text: string;
  address: string | null; // the address of a link
}

/** Return a text in pieces, so that its addresses can be links. */
export function pieces(text: string): Piece[] {
  return text
    .split(/(https?:\/\/[^\s;,]+)/)
    .filter(Boolean)
    .map((piece) => ({ text: piece, address: /^https?:/.test(piece) ? piece : null }));
}

/** Return the language of a title or a paraphrase, which is the same in books of every language. */
export function languageOf(text: string): "ja" | "en" {
  return /[\u3040-\u30ff\u3400-\u9fff]/.test(text) ? "ja" : "en";
}
