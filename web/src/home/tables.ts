// The tables of the first page, in words.

import { playedAs } from "../lib/address";
import { say, localized } from "../lib/language.svelte";
import { nameOf } from "../lib/voice";
import type { BotInfo, GameInfo, Games, Seat, Table } from "../wire";

/** Return the game of a table, or its entry. */
export const infoOf = (known: Games, table: Table): GameInfo | undefined =>
  [...known.games, ...(known.entries ?? [])].find(({ id }) => id === playedAs(table));

/** Return the name of a table's game. */
export function called(known: Games, table: Table): string {
  const info = infoOf(known, table);
  return info ? localized(info.name) : table.game;
}

/** Return the bot that a seat is for or that fills it; undefined for a person. */
export const botOf = (known: Games, { game }: Table, seat: Seat | undefined): BotInfo | undefined =>
  [...known.bots, ...(known.games.find(({ id }) => id === game)?.bots ?? [])].find(({ id }) => id === seat?.bot);

function player(known: Games, table: Table, seat: Seat): string {
  const bot = botOf(known, table, seat);
  return nameOf(seat) || (bot ? localized(bot.name) : "");
}

/** Return the names of the other players at a table. */
export const company = (known: Games, table: Table): string =>
  [...new Set(table.head.seats.flatMap((seat) => (seat.seat === table.you ? [] : player(known, table, seat) || [])))].join(
    say("home.joint"),
  );

/** Return whether a table waits for the player. */
export const isMine = ({ you, view }: Table): boolean => you !== null && !!view?.waiting.includes(you);

/** Return the state of a table: whose turn it is, or that it waits for no one. */
export function turn(known: Games, table: Table): string {
  const { view, head, you } = table;
  if (head.state === "open") return say("home.gathering");
  if (!view || view.over) return say("home.round-over");
  const [own, seat] = [you === null ? undefined : head.seats[you], head.seats.find((each) => view.waiting.includes(each.seat))];
  if (isMine(table)) return own?.name ? say("home.your-turn-name", { name: nameOf(own) ?? "" }) : say("home.your-turn");
  return seat ? say("home.their-turn", { name: player(known, table, seat) }) : called(known, table);
}

const until = ({ owed }: Table): number => owed?.until ?? Infinity;

/** Return tables by urgency: deadlines first, then the player's turns, then all others. */
export const pressing = (tables: readonly Table[]): Table[] =>
  tables.toSorted((one, other) => {
    const [near, far] = [until(one), until(other)];
    return near === far ? Number(isMine(other)) - Number(isMine(one)) : near - far;
  });
