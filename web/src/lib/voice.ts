// The words for a table: its players, cards, zones and texts, in one language and one set of card names.

import type { BotInfo, CardNames, Catalogue, GameInfo, Pack, Seat, Text, Zone } from "../wire";
import { fill, say } from "./language.svelte";
import { settings } from "./settings.svelte";

type Argument = NonNullable<Text["args"]>[string];

/** Return the set of card names that the user has chosen for a game, or the game's first. */
export function chosenPack(game: GameInfo): Pack {
  const first = game.packs[0];
  if (!first) throw new Error(`${game.id} has no cards`);
  return game.packs.find((pack) => pack.id === settings.packs[game.id]) ?? first;
}

/** The zone of choices that lie in no zone of the game: the page adds it. */
export const CHOICE = "choice";

export class Voice {
  /**
   * `players` are the seats' names; a seat without one is called by its number. `bots` are those of the game. `you` is the seat
   * of the reader. `rules` is the address of the rule book. `traditional`: whether suited cards have their traditional names
   * instead of number and suit.
   */
  constructor(
    readonly catalogue: Catalogue,
    readonly pack: Pack,
    readonly players: readonly (string | null)[] = [],
    readonly bots: readonly BotInfo[] = [],
    readonly you: number | null = null,
    readonly rules: string = `/rules/${catalogue.game}`,
    private readonly traditional = settings.traditional,
  ) {}

  /** Return a copy with traditional names, for the log. */
  get old(): Voice {
    return new Voice(this.catalogue, this.pack, this.players, this.bots, this.you, this.rules, true);
  }

  /** Return the address of a clause in the rule book. */
  clause(id: string): string {
    return `${this.rules}#${id}`;
  }

  /** Return the character of a bot that plays its own seat; null for every other seat. */
  character(seat: Pick<Seat, "kind" | "bot">): BotInfo | null {
    return (seat.kind === "bot" && this.bots.find((bot) => bot.id === seat.bot && bot.crest)) || null;
  }

  /** Return the address of the drawn cards. */
  get sprite(): string {
    return this.pack.sprite;
  }

  /** Return the calls that players make, by the keys of the events that contain them. */
  get cries(): Readonly<Record<string, string>> {
    return this.catalogue.texts["cries"] ?? {};
  }

  /** Return the names of the cards. */
  get names(): CardNames | undefined {
    return this.catalogue.names[this.pack.id] ?? Object.values(this.catalogue.names)[0];
  }

  /** Return whether the numbers of cards stand above their pictures. */
  get numbered(): boolean {
    return settings.numbers && (this.catalogue.numbers ?? false);
  }

  /** Return whether the cards have four suits, instead of flowers. */
  get suited(): boolean {
    return !this.pack.drawn.startsWith("hanafuda");
  }

  /** Return a rendered text of the game. */
  text(text: Text): string {
    const args = text.args ?? {};
    if (text.id === "card") return this.card(String(args["card"]));
    const values = Object.entries(args).map(([name, value]) => [name, this.#argument(name, value)] as const);
    const own = this.you !== null && args["seat"] === this.you ? this.catalogue.texts["you"]?.[text.id] : undefined;
    return fill(own ?? this.#template(text.id), Object.fromEntries(values));
  }

  /** Return the name of a card: number and suit if it shows them, else its name in this game. */
  card(card: string): string {
    return (this.traditional ? undefined : this.names?.plain[card]) ?? this.names?.cards[card] ?? card;
  }

  /** Return the names of cards. A name that several of them share appears once, with their number. */
  cards(cards: readonly string[]): string {
    const counts = new Map<string, number>();
    for (const name of cards.map((card) => this.card(card))) counts.set(name, (counts.get(name) ?? 0) + 1);
    const named = [...counts].map(([name, n]) => (n > 1 ? say("card.times", { name, n }) : name));
    return named.join(this.#template("numbers.joint"));
  }

  /** Return the words before the cards that a yaku lacks: it needs all of them, or any so many. */
  needs(lacks: readonly string[], steps: number): string {
    return lacks.length > steps ? say("sheet.needs-any", { steps }) : say("sheet.needs");
  }

  /** Return the spoken name of a card; in long form with its number. */
  spoken(card: string | null): string {
    if (card === null) return say("card.hidden");
    const name = this.card(card);
    const number = card.slice(0, -1);
    if (settings.names === "short" || !number) return name;
    return this.suited ? this.both(card, this.names?.plain[card] ?? "") : say("card.flower", { name, number });
  }

  /** Return the name of a card and another one, by default the traditional one. If one contains the other, no word is repeated. */
  both(card: string, other = this.names?.cards[card] ?? ""): string {
    const name = this.card(card);
    const added = addition(other, name);
    if (added) return say("card.also", { name, added });
    return added === "" || addition(name, other) !== null ? name : name + say("board.comma") + other;
  }

  /** Return the name of a seat's player. */
  player(seat: number): string {
    return this.players[seat] ?? fill(this.#template("numbers.player"), { n: seat + 1 });
  }

  /** Return the name of a zone: by its id, by its id without the owner's seat if the game names that, else by its kind. */
  place(zone: Zone): string {
    const zones = this.catalogue.texts["zones"] ?? {};
    const own = zones[zone.id] ?? zones[zone.id.replace(`-${zone.owner}`, "")];
    return own ?? zones[zone.kind] ?? (zone.id === CHOICE ? say("board.choice") : zone.kind);
  }

  yaku(id: string): string {
    return this.catalogue.yaku[id]?.name ?? id;
  }

  /** Return a text without arguments by table and key, such as an account or an ending. */
  entry(table: string, key: string): string {
    return this.#template(`${table}.${key}`);
  }

  /** Return an amount of an account in its unit. */
  amount(account: string, n: number | string): string {
    return fill(this.#template(`amounts.${account}`), { n });
  }

  #template(id: string): string {
    const dot = id.indexOf(".");
    return this.catalogue.texts[id.slice(0, dot)]?.[id.slice(dot + 1)] ?? id;
  }

  #argument(name: string, value: Argument): string {
    if (typeof value === "object" && !Array.isArray(value)) return this.text(value);
    if (name === "seat" && typeof value === "number") return this.player(value);
    if (name === "card" && typeof value === "string") return this.card(value);
    if (name === "cards" && Array.isArray(value)) return this.cards(value);
    if (name === "name") return isolated(String(value));
    if (name === "yaku" && typeof value === "string") return this.yaku(value);
    return String(value);
  }
}

/** Return the words that a name adds to a shorter one, before it or before its number; null if it does not contain it. */
function addition(name: string, shorter: string): string | null {
  if (name === shorter) return "";
  const [, stem = "", n] = /^(.+?)(\d*)$/.exec(shorter) ?? [];
  const end = n ? ("〇一二三四五六七八九十"[+n] ?? n) : "";
  if (!name.includes(stem) || !name.endsWith(end)) return null;
  return name
    .slice(0, name.length - end.length)
    .replace(stem, "")
    .replace(/[()]/g, "")
    .trim();
}

/** Isolate a name in a right-to-left script, so that it does not reorder the text around it. */
export const isolated = (name: string): string =>
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|[\ud802\ud803\ud83a\ud83b]/.test(name) ? `\u2068${name}\u2069` : name;

/** Return the name of a seat's person, also of a deleted guest; null if the seat has none. */
export const nameOf = (seat: Seat): string | null =>
  seat.gone ? say("player.gone") : seat.name === null ? null : isolated(seat.name);

/** Return the names of the seats: people's own, bots' own, and numbered if two are equal. */
export function players(seats: readonly Seat[], catalogue: Catalogue): (string | null)[] {
  const names = seats.map((seat) => nameOf(seat) ?? (seat.bot ? (catalogue.texts["bots"]?.[seat.bot] ?? seat.bot) : null));
  return names.map((name, seat) => {
    const same = names.flatMap((other, index) => (name !== null && other === name ? [index] : []));
    return name !== null && same.length > 1 ? say("player.numbered", { name, n: same.indexOf(seat) + 1 }) : name;
  });
}
