// Finding a game by any of its names, however it is spelt.

import type { GameInfo } from "../wire";

const CLOSE = 0.4; // least likeness of a name that is suggested
const MOST = 3; // suggestions
const TO_HIRAGANA = -0x60;

/** Return the letters and figures of a name that count: in lower case, without accents, and in hiragana, as the server does. */
export const letters = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "")
    .replace(/[ァ-ヶ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) + TO_HIRAGANA));

const namesOf = ({ id, name, also = [] }: GameInfo): string[] => [id, ...Object.values(name), ...also].map(letters);

/** Return the games that have a name with this part in it. */
export const withName = (games: readonly GameInfo[], part: string): GameInfo[] =>
  games.filter((game) => namesOf(game).some((name) => name.includes(letters(part))));

/** Return the games with a name that is spelt like this one, the closest first. */
export function similar(games: readonly GameInfo[], name: string): GameInfo[] {
  const rated = games.map((game) => ({ game, rate: Math.max(...namesOf(game).map((each) => likeness(letters(name), each))) }));
  const close = rated.filter(({ rate }) => rate >= CLOSE).toSorted((one, other) => other.rate - one.rate);
  return close.slice(0, MOST).map(({ game }) => game);
}

/** Return the pairs of neighbouring letters of a name. */
const pairs = (name: string): string[] => Array.from(`${name} `, (letter, at) => (name[at - 1] ?? " ") + letter);

/** Return the share of the pairs of two names that both have. */
function likeness(one: string, other: string): number {
  const [own, theirs] = [pairs(one), pairs(other)];
  const rest = [...theirs];
  const shared = own.filter((pair) => rest.includes(pair) && rest.splice(rest.indexOf(pair), 1));
  return (2 * shared.length) / (own.length + theirs.length);
}
