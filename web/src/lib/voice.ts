// How a table is spoken of: players, cards, places, and the texts of its game, in one language and one set of card names.

import type { BotInfo, CardNames, Catalogue, GameInfo, Pack, Seat, Text, Zone } from "../wire";
import { fill, say } from "./language.svelte";
import { settings } from "./settings.svelte";

type Argument = NonNullable<Text["args"]>[string];

/** The set of card names that a person has chosen for a game, or the game's first. */
export function chosenPack(game: GameInfo): Pack {
  const first = game.packs[0];
  if (!first) throw new Error(`${game.id} has no cards`);
  return game.packs.find((pack) => pack.id === settings.packs[game.id]) ?? first;
}

/** The place of cards to choose from that lie nowhere: no place of a game, but of the page. */
export const CHOICE = "choice";

export class Voice {
  /**
   * `players` are the seats' names; whoever has none is called by the seat's number. `bots` are those of the game. `you` is the seat
   * of the reader. `traditional`: whether suited cards have their traditional names instead of number and suit.
   */
  constructor(
    readonly catalogue: Catalogue,
    readonly pack: Pack,
    readonly players: readonly (string | null)[] = [],
    readonly bots: readonly BotInfo[] = [],
    readonly you: number | null = null,
    private readonly traditional = settings.traditional,
  ) {}

  /** A copy with traditional names, for the log. */
  get old(): Voice {
    return new Voice(this.catalogue, this.pack, this.players, this.bots, this.you, true);
  }

  /** The character of a bot that plays a seat itself; null for anybody else. */
  character(seat: Pick<Seat, "kind" | "bot">): BotInfo | null {
    return (seat.kind === "bot" && this.bots.find((bot) => bot.id === seat.bot && bot.crest)) || null;
  }

  /** The address of the cards' drawings. */
  get sprite(): string {
    return this.pack.sprite;
  }

  /** What is cried out, by the keys of the events in which it is. */
  get cries(): Readonly<Record<string, string>> {
    return this.catalogue.texts["cries"] ?? {};
  }

  /** The cards' names. */
  get names(): CardNames | undefined {
    return this.catalogue.names[this.pack.id] ?? Object.values(this.catalogue.names)[0];
  }

  /** Whether the numbers of cards stand above their pictures. */
  get numbered(): boolean {
    return settings.numbers && (this.catalogue.numbers ?? false);
  }

  /** Whether its cards are of the four suits, and not of flowers. */
  get suited(): boolean {
    return !this.pack.drawn.startsWith("hanafuda");
  }

  /** A text of the game, rendered. */
  text(text: Text): string {
    const args = text.args ?? {};
    if (text.id === "card") return this.card(String(args["card"]));
    const told = Object.entries(args).map(([name, value]) => [name, this.#argument(name, value)] as const);
    const own = this.you !== null && args["seat"] === this.you ? this.catalogue.texts["you"]?.[text.id] : undefined;
    return fill(own ?? this.#template(text.id), Object.fromEntries(told));
  }

  /** The name of a card: its number and suit where it shows them, or its name in this game. */
  card(card: string): string {
    return (this.traditional ? undefined : this.names?.plain[card]) ?? this.names?.cards[card] ?? card;
  }

  /** The names of cards. A name that several of them have stands once, with their number. */
  cards(cards: readonly string[]): string {
    const counts = new Map<string, number>();
    for (const name of cards.map((card) => this.card(card))) counts.set(name, (counts.get(name) ?? 0) + 1);
    const named = [...counts].map(([name, n]) => (n > 1 ? say("card.times", { name, n }) : name));
    return named.join(this.#template("numbers.joint"));
  }

  /** A card as it is spoken: its name, and in long form its number, too. */
  spoken(card: string | null): string {
    if (card === null) return say("card.hidden");
    const name = this.card(card);
    const number = card.slice(0, -1);
    if (settings.names === "short" || !number) return name;
    return this.suited ? this.both(card, this.names?.plain[card]) : say("card.flower", { name, number });
  }

  /** A card by its name and another one, by default the traditional one; by one alone where they are the same. */
  both(card: string, other = this.names?.cards[card]): string {
    return [...new Set([this.card(card), other ?? ""])].filter(Boolean).join(say("board.comma"));
  }

  /** Who sits in a seat. */
  player(seat: number): string {
    return this.players[seat] ?? fill(this.#template("numbers.player"), { n: seat + 1 });
  }

  /** What a place is called: by its own id, or by that without its owner's seat, where the game names it so; else by its kind. */
  place(zone: Zone): string {
    const zones = this.catalogue.texts["zones"] ?? {};
    const own = zones[zone.id] ?? zones[zone.id.replace(`-${zone.owner}`, "")];
    return own ?? zones[zone.kind] ?? (zone.id === CHOICE ? say("board.choice") : zone.kind);
  }

  yaku(id: string): string {
    return this.catalogue.yaku[id]?.name ?? id;
  }

  /** A text by table and key, such as an account or an ending, without arguments. */
  entry(table: string, key: string): string {
    return this.#template(`${table}.${key}`);
  }

  /** So many of what an account counts. */
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

/** A name in letters that run from right to left, which must not turn round what stands beside it. */
export const isolated = (name: string): string =>
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|[\ud802\ud803\ud83a\ud83b]/.test(name) ? `\u2068${name}\u2069` : name;

/** What the person of a seat is called, also one who is known here no more; null where none sits. */
export const nameOf = (seat: Seat): string | null =>
  seat.gone ? say("player.gone") : seat.name === null ? null : isolated(seat.name);

/** What the seats of a table are called: people by their names, bots by theirs, and by number where two have the same. */
export function players(seats: readonly Seat[], catalogue: Catalogue): (string | null)[] {
  const names = seats.map((seat) => nameOf(seat) ?? (seat.bot ? (catalogue.texts["bots"]?.[seat.bot] ?? seat.bot) : null));
  return names.map((name, seat) => {
    const same = names.flatMap((other, index) => (name !== null && other === name ? [index] : []));
    return name !== null && same.length > 1 ? say("player.numbered", { name, n: same.indexOf(seat) + 1 }) : name;
  });
}
