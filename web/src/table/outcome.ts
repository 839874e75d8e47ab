// What decided a finished round, from its view alone.

import type { Line, View, Zone } from "../wire";

const FEW = 8; // cards that have room beside one another: more are no reason, but all that a seat has

/** The line of the score with which a round was won: that of the yaku that decided it, else the winner's dearest of a few cards. */
export function decisive({ score, result }: Pick<View, "score" | "result">): Line | null {
  const { seat, yaku } = result?.args ?? {};
  const lines = score.filter((line) => line.seat === seat && line.points > 0 && line.cards.length > 0 && line.cards.length <= FEW);
  const own = yaku === undefined ? lines : lines.filter(({ text }) => text.args?.["yaku"] === yaku);
  return own.toSorted((one, other) => other.points - one.points)[0] ?? null;
}

/** A few cards that show how a round ended, for a viewer of its end: the last captures of its winner, else the last card laid. */
export function last(view: Pick<View, "zones" | "result">): readonly string[] {
  const [{ zones }, seat] = [view, winner(view)];
  const faces = (zone: Zone): string[] => zone.cards.filter((card) => card !== null);
  const won = zones.filter((zone) => zone.owner === seat && zone.kind === "captured").flatMap(faces);
  return won.length ? won.slice(-FEW) : zones.filter((zone) => zone.owner === null).flatMap((zone) => faces(zone).slice(-1));
}

/** The seat that has won a finished round alone; null where none has. */
export function winner({ result }: Pick<View, "result">): number | null {
  const seat = result?.args?.["seat"];
  return typeof seat === "number" ? seat : null;
}
