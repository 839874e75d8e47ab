// All that moves on a table. It is loaded when the table stands: until then everything is where it belongs at once.

import { pace, stillness } from "../lib/settings.svelte";
import type { Event, View } from "../wire";
import { deal, fly, glow, look, pay, settle, type Scene } from "./flight";
import { playable } from "./layout";
import { AGAIN, closer, deedOf, DEALING, packetsOf } from "./moments";
import { moves, whereabouts } from "./movement";
import { paid } from "./paid";

export { look, settle, type Scene };

/** Let a board that shows one view come from the one before. `again` is whether stones have gone around in the round. */
export function show(board: HTMLElement, scene: Scene, before: View, after: View, event: Event | null, again: boolean): boolean {
  const slow = pace();
  const packets = event && deedOf(before, event) === "deal" ? packetsOf(event) : [];
  if (packets.length) deal(board, scene, packets, DEALING, slow);
  else {
    const own = event?.seat === after.you;
    fly(board, scene, moves(before.zones, after.zones, event), whereabouts(playable(after.zones)), own, slow, stillness());
  }
  glow(closer(before, after), slow);
  const stones = event?.kind === "play" ? paid(before, after) : [];
  pay(board, stones, slow * (again ? AGAIN : 1));
  return stones.length > 0;
}

/** Deal what lies there already, for whoever has come when it had just been dealt. */
export const open = (board: HTMLElement, event: Event): void => deal(board, look(board), packetsOf(event), DEALING, pace());
