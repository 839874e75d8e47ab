// All movement on a table. It is loaded after the table is rendered: until then everything is in its final place at once.

import { pace, stillness } from "../lib/settings.svelte";
import type { Event, View } from "../wire";
import { deal, fly, glow, look, pay, settle, type Scene } from "./flight";
import { playable } from "./layout";
import { AGAIN, closer, deedOf, DEALING, packetsOf } from "./moments";
import { moves, whereabouts } from "./movement";
import { paid } from "./paid";

export { look, settle, type Scene };

/** Animate a board from the view before to the present one. `again` is whether stones have moved in the round. */
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

/** Deal the cards that lie there already, for a viewer who arrived just after the deal. */
export const open = (board: HTMLElement, event: Event): void => deal(board, look(board), packetsOf(event), DEALING, pace());
