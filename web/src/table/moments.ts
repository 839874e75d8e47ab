// The events that are worth a moment, from small to grand, and the duration of each. No rule is known here: a
// yaku is a new line of the sheet that names one, a cloth is lifted if the layout of a zone says so, a call is in the catalogue.

import type { Event, Line, Text, View, Zone } from "../wire";
import { zoneKey } from "./layout";
import { speaks } from "./sides";

/** A moment that is shown large, over the table. */
export type Moment =
  | { kind: "cloth"; card: string }
  | { kind: "yaku"; seat: number; yaku: string; cards: readonly string[]; points: number; from: readonly number[]; last: boolean }
  | { kind: "cry"; cry: string; text: Text }
  | { kind: "round"; winners: readonly number[]; losers: readonly number[]; result: Text }
  | { kind: "match"; winners: readonly number[]; result: Text };

export type Kind = Moment["kind"];

/** Small actions, each with its own sound. */
export type Deed = "deal" | "lay" | "take" | "turn" | "close";

type Happened = Pick<Event, "kind" | "seat" | "text" | "view" | "head">;

const DRIVER = 16;
const DEALT = 6; // cards that appear in front of several seats at once are dealt

// Milliseconds for which each is shown, at normal speed.
const LASTS: Record<Kind, number> = { cloth: 1800, yaku: 2100, cry: 1100, round: 2150, match: 2150 };
export const DEALING = 1200;
const LOOK = 900; // other players' actions
const OWN_LOOK = 250; // the viewer's own actions, without a capture
// Of a capture: the card is lifted, flies to its target, lies on it, and both go home. Other players' captures are slower.
export const TAKING = { own: [120, 120, 130, 220], others: [120, 240, 320, 220] } as const;
export const STILL = 600; // milliseconds of a still picture, with reduced motion
export const AGAIN = 0.6; // the fraction of it for a repeated moment of a round

/** Return the duration of a moment; `again` if the round has had one of its kind. */
export const lasts = (moment: Moment, again: boolean): number => LASTS[moment.kind] * (again ? AGAIN : 1);

/** Return the duration of an event by itself, in milliseconds. A capturing card moves to its target first. */
export function looked(before: View | null, event: Happened, you: number | null, moments: readonly Moment[]): number {
  if (event.kind !== "play" || moments.some(({ kind }) => kind === "cry")) return 0;
  if (deedOf(before, event) === "deal") return DEALING;
  return event.seat === you ? (meets(before, event) ? TAKING.own.reduce<number>((sum, part) => sum + part, 0) : OWN_LOOK) : LOOK;
}

/** Return whether a card has captured another after moving to it: both lie together now and did not before. */
export function meets(before: View | null, { text, view }: Happened): boolean {
  const { card, cards } = text.args ?? {};
  const both = (view: View | null): boolean | undefined =>
    view?.zones.some((zone) => zone.cards.includes(card as string) && zone.cards.includes((cards as string[])[0] ?? ""));
  return Array.isArray(cards) && !!both(view) && !both(before);
}

/** Return the moments of events, in order. `cries` are the texts of calls, by the keys of the events. */
export function momentsOf(before: View | null, event: Happened, cries: Readonly<Record<string, string>> = {}): Moment[] {
  if (event.kind === "end") return matchEnd(event);
  const after = event.view;
  if (event.kind !== "play" || !before || !after) return [];
  return [...lifted(before.zones, after.zones), ...made(before, after), ...cried(event.text, cries), ...roundEnd(before, after)];
}

/** Return whether a moment is shown before the table changes: a cloth is lifted before the card under it is shown. */
export const leads = (moment: Moment): boolean => moment.kind === "cloth";

/** Return the small action of an event; null if it is not visible on the table. */
export function deedOf(before: View | null, event: Happened): Deed | null {
  if (event.kind !== "play") return null;
  if (before && event.view && event.seat === DRIVER && held(event.view) - held(before) >= DEALT) return "deal";
  const { card, cards } = event.text.args ?? {};
  const takes = Array.isArray(cards) && cards.length > 0;
  if (takes) return event.seat === DRIVER && typeof card === "string" ? "turn" : "take";
  return before && event.view && closer(before, event.view) ? "close" : "lay";
}

/** Return the packets of a deal: ids of zones, and the number of cards of each; empty if unknown. */
export function packetsOf(event: Happened): [place: string, cards: number][] {
  const packets = event.text.args?.["packets"];
  const parts = typeof packets === "string" ? packets.split(" ").map((packet) => packet.split(":")) : [];
  return parts.map(([place = "", cards]) => [place, Number(cards) || 0]);
}

/** Return the yaku of which the viewer now lacks one card. */
export function closer(before: View, after: View): string | null {
  const known = new Set(short(before));
  return before.you === after.you ? (short(after).find((yaku) => !known.has(yaku)) ?? null) : null;
}

const short = (view: View): string[] => view.near.filter(({ steps }) => steps === 1).map(({ yaku }) => yaku);

const held = (view: View): number =>
  view.zones.filter((zone) => zone.owner !== null || zone.kind === "field").reduce((sum, zone) => sum + zone.cards.length, 0);

function lifted(were: readonly Zone[], are: readonly Zone[]): Moment[] {
  const covered = were.filter((zone) => zone.layout === "cloth" && zone.cards.length);
  return covered.flatMap((zone) => {
    const now = are.find((each) => zoneKey(each) === zoneKey(zone));
    const card = now && now.layout !== "cloth" ? now.cards[0] : null;
    return card ? [{ kind: "cloth" as const, card }] : [];
  });
}

/** Return the new lines of the sheet that name a yaku, with points and payer. A yaku without points is shown at its win. */
function made(before: View, after: View): Moment[] {
  const known = new Set(before.score.map(keyOf));
  const fresh = after.score.filter((line) => yakuOf(line) !== null && !known.has(keyOf(line)));
  const wins = (seat: number): boolean => after.over && (after.returns?.[seat] ?? 0) > 0;
  return fresh.flatMap((line): Moment[] => {
    const { seat, cards, points } = line;
    const yaku = yakuOf(line);
    if (yaku === null || typeof seat !== "number" || !cards.length || points < 0) return [];
    const payers = fresh.filter((other) => yakuOf(other) === yaku && other.points < 0);
    const from = payers.map((payer) => payer.seat).filter((payer) => typeof payer === "number");
    if (!points && !wins(seat) && !from.length) return [];
    return [{ kind: "yaku", seat, yaku, cards, points: points || (payers[0]?.points ?? 0), from, last: after.over }];
  });
}

const keyOf = (line: Line): string => `${line.seat} ${yakuOf(line)} ${line.points < 0}`;

function yakuOf(line: Line): string | null {
  const yaku = line.text.args?.["yaku"];
  return typeof yaku === "string" ? yaku : null;
}

function cried(text: Text, cries: Readonly<Record<string, string>>): Moment[] {
  const [table, key = ""] = text.id.split(".");
  const cry = table === "events" ? cries[key] : undefined;
  return cry ? [{ kind: "cry", cry, text }] : [];
}

function roundEnd(before: View, after: View): Moment[] {
  const { returns, result } = after;
  if (before.over || !after.over || !returns || !result) return [];
  const seats = [...returns.keys()].filter((seat) => speaks(after, seat));
  const winners = seats.filter((seat) => returns[seat] === Math.max(...returns));
  const losers = seats.filter((seat) => (returns[seat] ?? 0) < 0);
  return [{ kind: "round", winners: winners.length === 1 ? winners : [], losers, result }];
}

function matchEnd({ head }: Happened): Moment[] {
  const played = head?.why === "played" || head?.why === "agreed";
  return played && head.result ? [{ kind: "match", winners: head.winners ?? [], result: head.result }] : [];
}
