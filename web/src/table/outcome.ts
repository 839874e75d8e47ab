// The deciding elements of a finished round, from its view alone.

import type { Line, View, Zone } from "../wire";
import { type Sided, speaker } from "./sides";

type Ended = Pick<View, "score" | "result" | "ending" | "shape" | "zones"> & Sided;

const FEW = 8; // cards that fit beside one another

/** Return the line of the score that decided a round, with the few of its cards to raise: of the yaku in the result, else of the
 * winner's lines that the ending names, else of all, that of the most points. Returns null if the score names no card. */
export function decisive(view: Ended, groups: readonly { cards: readonly string[] }[] = []): Line | null {
  const { score, result, ending, shape } = view;
  const { yaku, line } = result?.args ?? {};
  const own = score.filter(({ seat }) => seat === winner(view));
  const named = own.filter(({ text }) => text.id === `lines.${ending}`);
  // If the result names no line, one of a few cards decided: many are all that the seat has.
  const any = line ? own : own.filter(({ cards, points }) => points > 0 && cards.length <= FEW);
  const lines = yaku ? any.filter(({ text }) => text.args?.["yaku"] === yaku) : named.length ? named : any;
  const ranked = lines.toSorted((one, other) => other.points - one.points);
  // The last card of a pile ended its round.
  if (shape === "pile" && ranked[0]) return { ...ranked[0], cards: [...last(view)] };
  const found = ranked.find(({ cards }) => cards.length);
  if (!found) return null;
  const grouped = groups.map(({ cards }) => found.cards.filter((card) => cards.includes(card))).filter((cards) => cards.length);
  return { ...found, cards: ((found.cards.length > FEW && grouped[0]) || found.cards).slice(0, FEW) };
}

/** Return a few cards that show how a round ended: the last captures of its winner, else the last card laid. */
export function last(view: Pick<View, "zones" | "result"> & Sided): readonly string[] {
  const [{ zones }, seat] = [view, winner(view)];
  const faces = (zone: Zone): string[] => zone.cards.filter((card) => card !== null);
  const won = zones.filter((zone) => zone.owner === seat && zone.kind === "captured").flatMap(faces);
  return won.length ? won.slice(-FEW) : zones.filter((zone) => zone.owner === null).flatMap((zone) => faces(zone).slice(-1));
}

/** Return the sole winner of a finished round, or the seat that stands for the winning side; null if there is none. */
export function winner(view: Pick<View, "result"> & Sided): number | null {
  const seat = view.result?.args?.["seat"];
  return typeof seat === "number" ? speaker(view, seat) : null;
}
