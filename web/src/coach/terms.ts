// The terms of a game that can be explained: the names of its cards and of its yaku.

import type { Voice } from "../lib/voice";
import type { Catalogue } from "../wire";

export interface Term {
  kind: "card" | "yaku";
  id: string;
}

const known = new WeakMap<Catalogue, Map<string, ReadonlyMap<string, Term>>>();

/** Return what each name stands for, in the pack that the player has chosen. */
export function termsOf(voice: Voice): ReadonlyMap<string, Term> {
  const sets = known.get(voice.catalogue) ?? new Map<string, ReadonlyMap<string, Term>>();
  known.set(voice.catalogue, sets);
  const found = sets.get(voice.pack.id) ?? named(voice);
  sets.set(voice.pack.id, found);
  return found;
}

function named(voice: Voice): ReadonlyMap<string, Term> {
  const yaku = Object.values(voice.catalogue.yaku).map(({ id, name }) => [name, { kind: "yaku", id }] as const);
  const names = voice.names ? [...Object.entries(voice.names.plain), ...Object.entries(voice.names.cards)] : [];
  const cards = names.map(([id, name]) => [name, { kind: "card", id }] as const);
  return new Map<string, Term>([...yaku, ...cards]);
}
