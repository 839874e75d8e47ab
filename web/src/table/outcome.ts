// The deciding elements of a finished round, from its view alone.

import type { Line, View, Zone } from "../wire";

const FEW = 8; // cards that fit beside one another: more are no reason, but all that a seat has

/** Return the line of the score that won a round: that of the deciding yaku, else the winner's most valuable one of a few cards. */
export function decisive({ score, result }: Pick<View, "score" | "result">): Line | null {
  const { seat, yaku } = result?.args ?? {};
  const lines = score.filter((line) => line.seat === seat && line.points > 0 && line.cards.length > 0 && line.cards.length <= FEW);
  const own = yaku === undefined ? lines : lines.filter(({ text }) => text.args?.["yaku"] === yaku);
  return own.toSorted((one, other) => other.points - one.points)[0] ?? null;
}

/** Return a few cards that show how a round ended: the last captures of its winner, else the last card laid. */
export function last(view: Pick<View, "zones" | "result">): readonly string[] {
  const [{ zones }, seat] = [view, winner(view)];
  const faces = (zone: Zone): string[] => zone.cards.filter((card) => card !== null);
  const won = zones.filter((zone) => zone.owner === seat && zone.kind === "captured").flatMap(faces);
  return won.length ? won.slice(-FEW) : zones.filter((zone) => zone.owner === null).flatMap((zone) => faces(zone).slice(-1));
}

/** Return the sole winner of a finished round; null if there is none. */
export function winner({ result }: Pick<View, "result">): number | null {
  const seat = result?.args?.["seat"];
  return typeof seat === "number" ? seat : null;
}
