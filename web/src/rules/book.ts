// A rule book put in order for reading. What it says comes from the server; nothing here knows a rule.

import { zoneKey } from "../table/layout";
import type { Catalogue, Chapter, ClauseText, Option, RuleBook, SourceRow, Zone } from "../wire";

export const STATUSES = ["attested", "inferred", "reconstructed", "house"] as const;
export type StatusName = (typeof STATUSES)[number];

/** A chapter with an anchor of its own. */
export interface Section {
  anchor: string;
  chapter: Chapter;
  again: boolean; // whether the book takes up an earlier chapter here
}

/** The chapters with their anchors: one that is taken up again has the same id, and so cannot have the same anchor. */
export function sections(chapters: readonly Chapter[]): Section[] {
  const seen = new Map<string, number>();
  return chapters.map((chapter) => {
    const times = (seen.get(chapter.id) ?? 0) + 1;
    seen.set(chapter.id, times);
    const anchor = `chapter-${chapter.id}${times > 1 ? `-${times}` : ""}`;
    return { anchor, chapter, again: times > 1 };
  });
}

/** The cards of each number, in their order; the extra card, which has no number, comes last with none. */
export function byNumber(cards: readonly string[]): { number: string; cards: string[] }[] {
  const found = new Map<string, string[]>();
  for (const card of cards) found.set(card.slice(0, -1), [...(found.get(card.slice(0, -1)) ?? []), card]);
  return [...found].map(([number, row]) => ({ number, cards: row }));
}

/** How many clauses of a book have each status. */
export function statusCounts(book: RuleBook): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of book.chapters.flatMap((chapter) => chapter.clauses)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Whether a text has every word that is looked for. */
export function matches(text: string, wanted: string): boolean {
  const told = text.toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => told.includes(word));
}

/** Whether a clause has every word that is looked for, in its sentence, its argument or its id. */
export function holds(clause: ClauseText, wanted: string): boolean {
  return matches(`${clause.text} ${clause.why} ${clause.id}`, wanted);
}

/** The sentences that a clause rests on, work by work in the order in which they come. */
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
  seat: number | null; // who plays, where that must be said
  action: string;
}

/** What is played in an example, one after the other. */
export function steps(action: string): Step[] {
  return action
    .split(" ")
    .filter(Boolean)
    .map((told) => {
      const colon = told.indexOf(":");
      return colon < 0 ? { seat: null, action: told } : { seat: Number(told.slice(0, colon)), action: told.slice(colon + 1) };
    });
}

/** The cards that lie elsewhere than before, or were not seen before. */
export function moved(before: readonly Zone[], after: readonly Zone[]): string[] {
  const places = (zones: readonly Zone[]): Map<string, string> =>
    new Map(zones.flatMap((zone) => zone.cards.flatMap((card) => (card === null ? [] : [[card, zoneKey(zone)] as const]))));
  const earlier = places(before);
  return [...places(after)].filter(([card, zone]) => earlier.get(card) !== zone).map(([card]) => card);
}

/** What a value of an option is called: a number by itself. */
export function valueText(option: Option | undefined, value: string, catalogue: Catalogue): string {
  return option?.value_texts[value]?.[catalogue.lang] ?? catalogue.texts["values"]?.[value] ?? value;
}

export interface Piece {
  text: string;
  address: string | null; // where it leads
}

/** A text in pieces, so that the addresses in it can be links. */
export function pieces(text: string): Piece[] {
  return text
    .split(/(https?:\/\/[^\s;,]+)/)
    .filter(Boolean)
    .map((piece) => ({ text: piece, address: /^https?:/.test(piece) ? piece : null }));
}

/** The language of a title or a paraphrase, which stands as it is in books of every language. */
export function languageOf(text: string): "ja" | "en" {
  return /[\u3040-\u30ff\u3400-\u9fff]/.test(text) ? "ja" : "en";
}
