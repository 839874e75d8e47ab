// The labels of every seat.

import { say } from "../lib/language.svelte";
import type { Voice } from "../lib/voice";
import type { Table, View } from "../wire";
import type { SeatLook } from "./board";
import { partners } from "./sides";

/** Return the labels of the seats. `now` is the server's time, in ms since the epoch. */
export function seatLooks(table: Table, view: View | null, voice: Voice, now: number, together: Together = ALONE): SeatLook[] {
  return table.head.seats.map((sitter) => {
    const { seat } = sitter;
    const waiting = table.head.state === "running" && view !== null && !view.over && view.waiting.includes(seat);
    const name = seat === table.you ? say("table.you") : voice.player(seat);
    const decided = table.head.state === "running" && together.asked.includes(seat) && !together.left.includes(seat);
    const label = note(table, view, voice, seat, waiting, now) || (decided ? say("table.is-ready") : "");
    const character = voice.character(sitter);
    const nth = table.head.seats.filter((other) => other.seat < seat && other.bot === sitter.bot).length;
    return {
      name,
      note: label,
      waiting,
      ...(view?.sides?.length && {
        side: view.sides[seat] ?? 0,
        partner: seat !== table.you && table.you !== null && partners(view, seat).includes(table.you),
      }),
      character: character && { ...character, crest: character.crest ? { ...character.crest, nth } : null },
    };
  });
}

function note(table: Table, view: View | null, voice: Voice, seat: number, waiting: boolean, now: number): string {
  const sitter = table.head.seats[seat];
  if (!sitter || table.head.state === "over") return "";
  const mine = seat === table.you;
  if (sitter.kind === "person" && sitter.bot) {
    return say("table.held", { bot: voice.entry("bots", sitter.bot), name: mine ? say("table.you-object") : voice.player(seat) });
  }
  const presence = table.presence.find((each) => each.seat === seat);
  // At tables with days a move, no player is absent.
  if (!mine && !table.term && presence && !presence.here && table.head.state === "running") {
    if (presence.bot_at === null) return say("table.away");
    return say("table.away-until", { seconds: secondsUntil(presence.bot_at, now) });
  }
  if (!mine && presence?.stalled_at) return say("table.slow", { seconds: secondsUntil(presence.stalled_at, now) });
  if (view?.over) {
    if (sitter.kind !== "person" || (mine && !sitter.ready)) return "";
    return say(sitter.enough ? "table.has-enough" : sitter.ready ? "table.is-ready" : "table.not-ready");
  }
  if (mine || !waiting) return "";
  return say(sitter.bot ? "table.thinking" : view?.waits ? "table.to-choose" : "table.to-play");
}

/** The seats that were asked at the same time, and the seats that have not answered. */
export interface Together {
  asked: readonly number[];
  left: readonly number[];
}

export const ALONE: Together = { asked: [], left: [] };
const DRIVER = 16;

/** Return the seats that are asked together after a change: the same as before while their number only falls. */
export function askedTogether(before: Together, view: Pick<View, "over" | "waiting"> | null): Together {
  const left = !view || view.over ? [] : view.waiting.filter((seat) => seat !== DRIVER);
  const goes = left.length > 0 && left.every((seat) => before.left.includes(seat));
  return goes ? { asked: before.asked, left } : { asked: left, left };
}

export function secondsUntil(time: number, now: number): number {
  return Math.max(0, Math.ceil((time - now) / 1000));
}

/** Return the people who have not asked for the next round yet. */
export function awaited(table: Table): number[] {
  return table.head.seats.flatMap(({ seat, kind, bot, ready }) => (kind === "person" && !bot && !ready ? [seat] : []));
}

/** Join names. */
export function joined(names: string[], voice: Voice): string {
  return names.join(voice.entry("numbers", "joint"));
}
