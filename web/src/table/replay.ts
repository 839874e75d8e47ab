// Where one is in a finished round, and how one goes from there to elsewhere.

import type { Event } from "../wire";

const FAR = 10; // steps at once

/** The events that are worth a step: not that somebody wants to go on, and nothing after which there is no table to be seen. */
export function seen(events: readonly Event[]): Event[] {
  return events.filter((event) => event.view !== null && event.kind !== "ready");
}

/** The step that an address names, counted from 1 there and from 0 here; the first where it names none. */
export function stepOf(hash: string, count: number): number {
  return /^\d+$/.test(hash) ? within(Number(hash) - 1, count) : 0;
}

export function address(table: string, round: number, seat: number | null, step: number): string {
  return `/t/${table}/rounds/${round}${seat === null ? "" : `?seat=${seat}`}#${step + 1}`;
}

/** Where a finished round is reviewed for a seat. */
export const reviewAddress = (table: string, round: number, seat: number): string =>
  `/t/${table}/rounds/${round}/review?seat=${seat}`;

/** The seat that an address names; null where it names none, which is for spectators. */
export function seatOf(search: URLSearchParams): number | null {
  const told = search.get("seat") ?? "";
  return /^\d+$/.test(told) ? Number(told) : null;
}

/** Where a key leads; null where it leads nowhere. */
export function keyStep(key: string, step: number, count: number): number | null {
  const to = {
    ArrowLeft: step - 1,
    ArrowRight: step + 1,
    ArrowUp: step - 1,
    ArrowDown: step + 1,
    PageUp: step - FAR,
    PageDown: step + FAR,
    Home: 0,
    End: count - 1,
  }[key];
  return to === undefined ? null : within(to, count);
}

export function within(step: number, count: number): number {
  return Math.min(Math.max(step, 0), count - 1);
}

/** The same moment as another saw it: what is decided in secret is told to one and not to others, so places differ. */
export function sameMoment(from: readonly Event[], step: number, to: readonly Event[]): number {
  const same = (one: Event, other: Event | undefined): boolean =>
    one.kind === other?.kind && one.seat === other.seat && one.text.id === other.text.id;
  let found = -1;
  for (const event of from.slice(0, step + 1)) {
    const next = to.findIndex((other, index) => index > found && same(event, other));
    if (next >= 0) found = next;
  }
  return Math.max(found, 0);
}
