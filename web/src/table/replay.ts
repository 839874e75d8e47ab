// The position in the replay of a finished round, and the steps to others.

import type { Event } from "../wire";

const FAR = 10; // steps at once

/** Return the events that are steps: neither requests for the next round nor events without a table after them. */
export function seen(events: readonly Event[]): Event[] {
  return events.filter((event) => event.view !== null && event.kind !== "ready");
}

/** Return the step that an address names, counted from 1 there and from 0 here; the first by default. */
export function stepOf(hash: string, count: number): number {
  return /^\d+$/.test(hash) ? within(Number(hash) - 1, count) : 0;
}

export function address(table: string, round: number, seat: number | null, step: number): string {
  return `/t/${table}/rounds/${round}${seat === null ? "" : `?seat=${seat}`}#${step + 1}`;
}

/** Return the address of the review of a finished round for a seat. */
export const reviewAddress = (table: string, round: number, seat: number): string =>
  `/t/${table}/rounds/${round}/review?seat=${seat}`;

/** Return the seat that an address names; null for spectators. */
export function seatOf(search: URLSearchParams): number | null {
  const seat = search.get("seat") ?? "";
  return /^\d+$/.test(seat) ? Number(seat) : null;
}

/** Return the step that a key leads to; null for none. */
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

/** Return the same moment in another viewer's replay: secret decisions are events for one viewer only, so positions differ. */
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
