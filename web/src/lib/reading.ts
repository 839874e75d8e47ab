// Readings of Japanese names: the positions of card names in a text, and the part of a name below each reading.

import type { CardNames } from "../wire";

/** A piece of a name, and its reading; empty for none. */
export interface Piece {
  text: string;
  above: string;
}

const KANA = /([ぁ-ゖァ-ヺー・（）]+)/; // and signs, which have no reading
const SPECIAL = /[\\^$.*+?()[\]{}|]/g;

/** Put the reading of a name above its kanji only; its kana match the same kana of the reading. */
export function aboveKanji(name: string, kana: string): Piece[] {
  const pieces = name.split(KANA); // every second piece is kana
  const stays = (text: string): string => text.replace("（", "・").replace("）", "");
  const pattern = pieces.map((text, index) => (index % 2 ? `(${stays(text)})` : text ? "(.+)" : "()"));
  const read = new RegExp(`^${pattern.join("")}$`).exec(kana);
  if (!read) return [{ text: name, above: kana }];
  return pieces.map((text, index) => ({ text, above: index % 2 ? "" : (read[index + 1] ?? "") })).filter(({ text }) => text);
}

/** Split a text at names, each with what it stands for. A Latin name does not match inside a word. */
export function cutAt<T>(text: string, terms: ReadonlyMap<string, T>): { text: string; term?: T | undefined }[] {
  const longestFirst = [...terms.keys()].sort((one, other) => other.length - one.length);
  if (!longestFirst.length) return [{ text }];
  const anyName = new RegExp(`(?<!\\w)(${longestFirst.map((name) => name.replace(SPECIAL, "\\$&")).join("|")})(?!\\w)`);
  return text.split(anyName).map((piece) => ({ text: piece, term: terms.get(piece) }));
}

/** Return the cards of a set by their names. */
export const cardsByName = (names: CardNames): ReadonlyMap<string, string> =>
  new Map(Object.entries(names.cards).map(([card, name]) => [name, card]));
