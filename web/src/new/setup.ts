// The settings of a new table: their address, and the request that they become.

import { companions } from "../lib/opponents";
import type { AskTable, BotInfo, GameInfo, Option, Preset } from "../wire";

export const YOU = "you";
export const PERSON = "person"; // a person who comes by the link

export const TERMS = [1, 2, 3, 7, 14]; // days for a move, at tables that are played turn by turn

type Values = Record<string, string>;

export interface Setup {
  seats: string[]; // YOU, PERSON, or a bot's name
  preset: string; // the last chosen preset
  options: Values; // all options of a round
  match: Values; // all options of the match
  public: boolean;
  lot: boolean; // whether seats are drawn by lot
  days: number; // days for a move; 0 if all play at one sitting
  late: "bot" | "end"; // what happens at the deadline
  club: boolean; // whether the club's own chat is notified of turns
  dealer: number | null; // the seat that deals first; null for a lot
}

/** Return the bots that play a game: its characters first, then the bots of every game. */
export const botsFor = (game: GameInfo, bots: readonly BotInfo[]): BotInfo[] => [...game.bots, ...bots];

/** Return the default seats for a number of players: you and the default opponents. */
export function usualSeats(count: number, game: GameInfo): string[] {
  return [YOU, ...companions(game, count)];
}

/** Return the numbers of `count` seats. */
export const seatNumbers = (count: number): number[] => Array.from({ length: count }, (_, seat) => seat);

/** Return the setup with default seats for another number of players; the first dealer stays, if that seat still exists. */
export function withPlayers(setup: Setup, count: number, game: GameInfo): Setup {
  const dealer = setup.dealer !== null && setup.dealer < count ? setup.dealer : null;
  return { ...setup, seats: usualSeats(count, game), dealer };
}

/** Return the seats after `who` was chosen for one. One seat is always yours: if you move, the seats are exchanged. */
export function seated(seats: readonly string[], seat: number, who: string): string[] {
  const before = seats[seat] ?? PERSON;
  const yours = seats.indexOf(YOU);
  if (who === YOU) return seats.map((each, index) => (index === seat ? YOU : index === yours ? before : each));
  const next = seats.map((each, index) => (index === seat ? who : each));
  if (before !== YOU) return next;
  const other = seat === 0 ? 1 : 0;
  return next.map((each, index) => (index === other ? YOU : each));
}

/** Return the numbers of a text such as `1-5,7` in rising order; null if it is malformed. */
export function numbers(text: string): number[] | null {
  const found = new Set<number>();
  for (const part of text.split(",")) {
    const range = /^\s*(\d{1,4})(?:-(\d{1,4}))?\s*$/.exec(part);
    if (!range) return null;
    for (let n = Number(range[1]); n <= Number(range[2] ?? range[1]); n += 1) found.add(n);
  }
  return [...found].sort((a, b) => a - b);
}

/** Return whether an option can have a value. */
export function fits(option: Option, value: string): boolean {
  if (option.values.length) return option.values.includes(value);
  if (option.offered.includes(value)) return true;
  const all = option.row ? numbers(value) : /^\d{1,6}$/.test(value) ? [Number(value)] : null;
  return all !== null && all.length > 0 && all.every((n) => n >= option.least && n <= option.most);
}

/** Return a value as the server writes it, so that equal values are equal texts. */
function plain(option: Option, value: string): string {
  if (option.values.length || option.offered.includes(value)) return value;
  return option.row ? (numbers(value) ?? []).join(",") : String(Number(value));
}

/** Return every option with its value: the given one if it is valid, else the default. */
function complete(options: readonly Option[], given: Values): Values {
  return Object.fromEntries(
    options.map((option) => {
      const written = given[option.name];
      const value = written !== undefined ? (option.older[written] ?? written) : undefined;
      return [option.name, value !== undefined && fits(option, value) ? plain(option, value) : option.default];
    }),
  );
}

/** Return the values that differ from those of `base`, or from the default if `base` lacks the option. */
export function changed(options: readonly Option[], values: Values, base: Values = {}): Values {
  return Object.fromEntries(
    options.flatMap((option) => {
      const value = values[option.name] ?? option.default;
      return value === (base[option.name] ?? option.default) ? [] : [[option.name, value]];
    }),
  );
}

const find = (game: GameInfo, id: string): Preset | undefined => game.presets.find((preset) => preset.id === id);
const presetOptions = (game: GameInfo, id: string): Values => find(game, id)?.options ?? {};
const presetMatch = (game: GameInfo, id: string): Values => find(game, id)?.match_options ?? {};

/** Return the options of the match that differ from the preset. */
const ownMatch = (game: GameInfo, setup: Setup): Values =>
  changed(game.match_options, setup.match, presetMatch(game, setup.preset));

/** Return the setup with the options of a preset. Options of the match that the user has changed stay. */
export function withPreset(game: GameInfo, setup: Setup, preset: string): Setup {
  return {
    ...setup,
    preset,
    options: complete(game.options, presetOptions(game, preset)),
    match: complete(game.match_options, { ...presetMatch(game, preset), ...ownMatch(game, setup) }),
  };
}

/** Return the setup at another pace. A match turn by turn is as short as a first match, unless the user chose its length. */
export function withPace(game: GameInfo, before: Setup, next: Setup): Setup {
  const [usual, short] = [before.preset, "first"].map((preset) => complete(game.match_options, presetMatch(game, preset)));
  const [from, to] = next.days ? [usual, short] : [short, usual];
  const untouched = JSON.stringify(before.match) === JSON.stringify(from);
  return !before.days !== !next.days && untouched && to ? { ...next, match: to } : next;
}

/** Return whether the options differ from those of the preset. */
export function isOwn(game: GameInfo, setup: Setup): boolean {
  return Object.keys(changed(game.options, setup.options, presetOptions(game, setup.preset))).length > 0;
}

/** Return whether seats are drawn by lot. With two seats the order makes no difference. */
export const drawn = (setup: Setup): boolean => setup.lot && setup.seats.length > 2;

/** Return whether a match can be played turn by turn: it needs two people. */
const slow = (setup: Setup): boolean => setup.days > 0 && setup.seats.includes(PERSON);

/** Return the request for the server, without default values. */
export function asked(game: GameInfo, setup: Setup): AskTable {
  const seats = setup.seats.map((who) => (who === YOU ? PERSON : who)) as NonNullable<AskTable["seats"]>;
  const sent: AskTable = { game: game.id, seats };
  const own = isOwn(game, setup);
  const match = own ? changed(game.match_options, setup.match) : ownMatch(game, setup);
  if (own) sent.options = changed(game.options, setup.options, game.presets[0]?.options);
  else if (setup.preset !== game.presets[0]?.id) sent.preset = setup.preset;
  if (Object.keys(match).length) sent.match_options = match;
  if (setup.public && setup.seats.includes(PERSON)) sent.public = true;
  if (drawn(setup)) sent.seating = "lot";
  if (setup.dealer !== null) sent.first_dealer = setup.dealer;
  if (slow(setup)) sent.term = { days: setup.days, late: setup.late, ...(setup.club ? { club: true } : {}) };
  return sent;
}

const MATCH = "match."; // the prefix of a match option in an address

/** Return the options as an address that can be kept and shared. */
export function toSearch(game: GameInfo, setup: Setup): string {
  const search = new URLSearchParams();
  if (setup.preset !== game.presets[0]?.id) search.set("preset", setup.preset);
  const options = changed(game.options, setup.options, presetOptions(game, setup.preset));
  for (const [name, value] of Object.entries(options)) search.set(name, value);
  for (const [name, value] of Object.entries(ownMatch(game, setup))) search.set(MATCH + name, value);
  if (setup.seats.length !== game.seats[0]) search.set("players", `${setup.seats.length}`);
  if (drawn(setup)) search.set("seating", "lot");
  if (setup.dealer !== null) search.set("dealer", `${setup.dealer + 1}`);
  if (setup.days) search.set("days", `${setup.days}`);
  if (setup.days && setup.late === "end") search.set("late", "end");
  const text = search.toString();
  return text && `?${text}`;
}

/** Return the setup of an address. Invalid values become defaults. */
export function fromSearch(game: GameInfo, search: URLSearchParams): Setup {
  const wanted = search.get("preset");
  const preset = (game.presets.find((each) => each.id === wanted) ?? game.presets[0])?.id ?? "";
  const given = Object.fromEntries(search);
  const match = [...search].filter(([name]) => name.startsWith(MATCH)).map(([name, value]) => [name.slice(MATCH.length), value]);
  const players = game.seats.find((count) => `${count}` === search.get("players")) ?? game.seats[0] ?? 2;
  return {
    seats: usualSeats(players, game),
    preset,
    options: complete(game.options, { ...presetOptions(game, preset), ...given }),
    match: complete(game.match_options, { ...presetMatch(game, preset), ...given, ...Object.fromEntries(match) }),
    public: false,
    days: TERMS.find((days) => `${days}` === search.get("days")) ?? 0,
    late: search.get("late") === "end" ? "end" : "bot",
    club: false,
    lot: search.get("seating") === "lot",
    dealer: seatNumbers(players).find((seat) => `${seat + 1}` === search.get("dealer")) ?? null,
  };
}
