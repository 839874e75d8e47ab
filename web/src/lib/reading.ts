// How Japanese names are read: where in a text the names of cards stand, and which part of a name a reading stands above.

import type { CardNames } from "../wire";

/** A piece of a name, and what stands above it: nothing where it is empty. */
export interface Piece {
  text: string;
  above: string;
}

const KANA = /([ぁ-ゖァ-ヺー・（）]+)/; // and signs, which have no reading
const SPECIAL = /[\\^$.*+?()[\]{}|]/g;

/** A name with its reading above its kanji alone: what the name writes in kana stands in the reading as it is. */
export function aboveKanji(name: string, kana: string): Piece[] {
  const pieces = name.split(KANA); // every other one is kana
  const stays = (text: string): string => text.replace("（", "・").replace("）", "");
  const pattern = pieces.map((text, index) => (index % 2 ? `(${stays(text)})` : text ? "(.+)" : "()"));
  const read = new RegExp(`^${pattern.join("")}$`).exec(kana);
  if (!read) return [{ text: name, above: kana }];
  return pieces.map((text, index) => ({ text, above: index % 2 ? "" : (read[index + 1] ?? "") })).filter(({ text }) => text);
}

/** A text cut at names, each with what it stands for. A name in Latin letters is no part of a word. */
export function cutAt<T>(text: string, terms: ReadonlyMap<string, T>): { text: string; term?: T | undefined }[] {
  const longestFirst = [...terms.keys()].sort((one, other) => other.length - one.length);
  if (!longestFirst.length) return [{ text }];
  const anyName = new RegExp(`(?<!\\w)(${longestFirst.map((name) => name.replace(SPECIAL, "\\$&")).join("|")})(?!\\w)`);
  return text.split(anyName).map((piece) => ({ text: piece, term: terms.get(piece) }));
}

/** The cards of a set by their names. */
export const cardsByName = (names: CardNames): ReadonlyMap<string, string> =>
  new Map(Object.entries(names.cards).map(([card, name]) => [name, card]));
