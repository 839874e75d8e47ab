// The events since a player's last action: they can be replayed, and a returning player is notified of them.

import type { Event, Text, View } from "../wire";
import type { Live } from "./live.svelte";

const DRIVER = 16;
const ACTS = ["play", "take-back", "answer", "ready"];
const RECENT = 3; // turns that are reported to a spectator
const ONE_BY_ONE = 16; // events that are replayed, with their moments: more than the queue shows at once

/** A seat's actions in a turn, in sentences of events, and the view after it; or the end of a round. */
export interface Turn {
  seat: number | null; // null for the end of a round
  bot: string | null; // the bot that played it for the viewer
  texts: Text[];
  view: View;
}

/** Return the index of the first event after the viewer's last action, and the bot that played the viewer's seat at each event. */
function since(past: readonly Event[], you: number): { from: number; bots: (string | null)[] } {
  const holds = ({ kind, seat }: Event): boolean => seat === you && ["hold", "leave", "late", "back"].includes(kind);
  let bot = past.find(holds)?.kind === "back" ? "" : null;
  let [late, from] = [false, 0];
  const bots = past.map((event, n) => {
    const { kind, seat, head } = event;
    if (holds(event)) {
      bot = kind === "back" ? null : (head?.seats[you]?.bot ?? "");
      late = kind === "late"; // then the bot plays this turn alone
    } else if (bot !== null && head) bot = head.seats[you]?.bot ?? bot;
    if (late && (kind === "round" || (kind === "play" && seat !== you && seat !== DRIVER))) bot = null;
    if (bot === null && seat === you && ACTS.includes(kind)) from = n + 1;
    return bot;
  });
  return { from, bots };
}

/** Return the index of the first event since the viewer's last action; for spectators, of the last turns of the round. */
function start(past: readonly Event[], you: number | null): number {
  if (you !== null) return since(past, you).from;
  let [turns, by] = [0, -1];
  const before = past.findLastIndex(({ kind, text }) => {
    const seat = kind === "play" ? text.args?.["seat"] : null;
    if (typeof seat === "number" && seat !== by) [turns, by] = [turns + 1, seat];
    return kind === "round" || turns > RECENT;
  });
  return before + 1;
}

/** Replay the events since the viewer's last action; null if there are none. */
export function again(live: Live): (() => void) | null {
  const { past, table } = live;
  const begun = past.findLastIndex(({ kind }) => kind === "round") + 1;
  const played = past.slice(Math.max(begun, start(past, table?.you ?? null))).filter(({ kind }) => kind === "play");
  const shown = played.slice(-ONE_BY_ONE);
  const before = shown[0] && past[past.indexOf(shown[0]) - 1]?.view;
  if (live.behind || !before) return null;
  const newest = past.slice(-1).filter(({ kind }) => kind !== "play"); // the seat whose view the table ends with
  return () => live.showAgain(before, [...shown, ...newest]);
}

/** Return whether these events include all events since the viewer's last action. */
export const whole = (past: readonly Event[], you: number | null): boolean => start(past, you) > 0 || past[0]?.version === 1;

/** Return the actions of others since the viewer's last action, and those of bots for the viewer, turn by turn; empty for none. */
export function turnsSince(past: readonly Event[], you: number | null): Turn[] {
  const from = start(past, you);
  const bots = you === null ? [] : since(past, you).bots;
  const turns: Turn[] = [];
  for (const [at, { kind, text, view }] of past.entries()) {
    if (at < from || kind !== "play" || !view) continue;
    const seat = text.args?.["seat"];
    const bot = seat === you ? (bots[at] ?? null) : null;
    if (typeof seat === "number" && seat !== DRIVER && (seat !== you || bot !== null)) {
      const last = turns.at(-1);
      if (last && last.seat === seat && last.bot === bot) Object.assign(last, { texts: [...last.texts, text], view });
      else turns.push({ seat, bot, texts: [text], view });
    }
    if (view.over && view.result && !past[at - 1]?.view?.over) turns.push({ seat: null, bot: null, texts: [view.result], view });
  }
  return turns.some(({ seat }) => seat !== null) ? turns : [];
}
