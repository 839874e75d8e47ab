// The deciding elements of a finished round, from its view alone.

import type { Line, View, Zone } from "../wire";
import { type Sided, speaker } from "./sides";

const FEW = 8; // cards that fit beside one another: more are no reason, but all that a seat has

/** Return the line of the score that won a round: that of the deciding yaku, else the winner's most valuable one of a few cards. */
export function decisive(view: Pick<View, "score" | "result"> & Sided): Line | null {
  const { score, result } = view;
  const [seat, yaku] = [winner(view), result?.args?.["yaku"]];
  const lines = score.filter((line) => line.seat === seat && line.points > 0 && line.cards.length > 0 && line.cards.length <= FEW);
  const own = yaku === undefined ? lines : lines.filter(({ text }) => text.args?.["yaku"] === yaku);
  return own.toSorted((one, other) => other.points - one.points)[0] ?? null;
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
