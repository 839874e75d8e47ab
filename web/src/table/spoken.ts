// What is said of cards and places for the ear: names, points, and what a card would do.

import { say } from "../lib/language.svelte";
import { settings } from "../lib/settings.svelte";
import type { Voice } from "../lib/voice";
import type { Legal, Text, View, Worths, Zone } from "../wire";
import { isCard } from "./layout";
import type { Moment } from "./moments";
import { joined } from "./seats";

/** What a card counts, in words; empty where that is not known, or cards count nothing in the game. */
export function pointsOf(card: string, worths: Worths | null | undefined): string {
  const worth = worths?.cards[card];
  const points = worth?.points ?? null;
  const counts = points === null ? "" : say("board.points", { n: points });
  return [counts, worth?.wild ? say("card.wild") : ""].filter(Boolean).join(say("board.comma"));
}

/** What a legal card would do, in words; empty where there is nothing to tell. */
function deedOf(legal: Legal | undefined, voice: Voice): string {
  if (!legal) return "";
  if (isCard(legal.action) && legal.text.id !== "card") return voice.text(legal.text); // it is not simply played
  const others = legal.takes.filter((card) => card !== legal.action);
  if (others.length) return say("board.takes-cards", { cards: voice.cards(others) });
  if (legal.choices.length) return say("board.choice-cards", { cards: voice.cards(legal.choices) });
  return "";
}

/** A card with everything that whoever does not see it has to know. */
export function spokenCard(
  card: string,
  voice: Voice,
  told: { worths?: Worths | null | undefined; legal?: Legal | undefined; fresh?: boolean },
): string {
  const points = settings.names === "long" ? pointsOf(card, told.worths) : "";
  const name = [voice.spoken(card), points, told.fresh ? say("board.new") : ""].filter(Boolean).join(say("board.comma"));
  return [name, deedOf(told.legal, voice)].filter(Boolean).join(say("board.semicolon"));
}

/** What is pointed at, for the eye: a card with its points, and what it would do; of a word only what it would do. */
export function shownCard(action: string, voice: Voice, worths: Worths | null, legal: Legal | undefined): string {
  const name = isCard(action)
    ? [voice.suited ? voice.both(action) : voice.spoken(action), pointsOf(action, worths)].filter(Boolean).join(say("board.comma"))
    : "";
  return [name, deedOf(legal, voice)].filter(Boolean).join(say("board.semicolon"));
}

/** What a zone is called to whoever looks at the table. */
export function placeName(zone: Zone, you: number | null, voice: Voice): string {
  const place = voice.place(zone);
  if (zone.owner === null) return place;
  if (zone.owner === you) return say("board.your-place", { place: place.toLowerCase() });
  return say("board.place-of", { name: voice.player(zone.owner), place: place.toLowerCase() });
}

/** A zone read aloud: what it is, how many lie there, and which. */
export function spokenZone(zone: Zone, you: number | null, voice: Voice): string {
  const seen = zone.cards.filter((card) => card !== null);
  const place = placeName(zone, you, voice);
  if (zone.count === null) return say("board.zone-hidden", { place });
  const parts = [voice.cards(seen), unseen(zone), staked(zone)].filter(Boolean).join(say("board.semicolon"));
  return zone.count ? say("board.zone", { place, n: zone.count, cards: parts }) : say("board.zone-empty", { place });
}

/** An amount in the middle of the table, read aloud. */
const spokenAmount = (place: string, n: number): string => say("board.amount", { place, n });

/** Places read aloud: the hand, one's own if there is one; the field, and all that is common; or what else lies before the seats. */
export function spokenPlaces(view: View, what: "field" | "hand" | "captured", you: number | null, voice: Voice): string {
  const asked = {
    field: (zone: Zone) => zone.owner === null,
    hand: (zone: Zone) => zone.kind === "hand" && zone.owner === (view.you ?? zone.owner),
    captured: (zone: Zone) => zone.kind !== "hand" && zone.owner !== null,
  };
  const found = view.zones.filter(asked[what]).map((zone) => spokenZone(zone, you, voice));
  if (what === "field")
    found.push(...Object.entries(view.middle).map(([place, n]) => spokenAmount(voice.entry("zones", place), n)));
  return found.join(say("board.stop")) || say("board.nothing");
}

/** The score aloud, line by line. `nameOf` says what a seat is called. */
export function spokenScore(view: View | null, nameOf: (seat: number) => string, voice: Voice | null): string {
  const lines = voice && view ? view.score : [];
  const told = lines
    .map(({ seat, text, points }) =>
      say("table.score-line", {
        name: typeof seat === "string" ? (voice?.entry("accounts", seat) ?? "") : nameOf(seat),
        what: voice?.text(text) ?? "",
        points,
      }),
    )
    .join(" ");
  return told || say("sheet.nothing-yet");
}

/** How many cards of a place are not seen, and why; empty where all are. */
export function unseen(zone: Zone): string {
  const count = zone.cards.filter((card) => card === null).length;
  if (!count) return "";
  return zone.layout === "cloth" ? say("board.covered") : faceDown(count);
}

/** What is staked at a place; empty where nothing is. */
export const staked = (zone: Zone): string => (zone.stake ? say("board.staked", { n: zone.stake }) : "");

/** How many cards lie at a place, or that it is hidden. */
export const number = (zone: Zone): string => (zone.count === null ? say("board.hidden") : `${zone.count}`);

/** So many cards that lie face down. */
export const faceDown = (count: number): string => say("board.face-down", { n: count });

// --- What has happened ---

/** Something that has happened, as the log tells it, with what is told of the moments in it. */
export function spokenEntry(entry: { text: Text; moments: readonly Moment[] }, voice: Voice): string {
  return [voice.text(entry.text), ...entry.moments.map((moment) => spokenMoment(moment, voice))].filter(Boolean).join(" ");
}

/** What a moment says beyond what the event says; empty where that says it all. */
function spokenMoment(moment: Moment, voice: Voice): string {
  if (moment.kind === "yaku") {
    const name = subject(moment.seat, voice);
    return say("moment.yaku", { name, yaku: voice.yaku(moment.yaku), brings: brings(moment, voice) });
  }
  return moment.kind === "round" || moment.kind === "match" ? voice.text(moment.result) : "";
}

/** What a yaku brings, and from whom; empty where that is not told yet. */
export function brings({ points, from }: Extract<Moment, { kind: "yaku" }>, voice: Voice): string {
  if (!points) return "";
  const names = joined(
    from.map((seat) => (seat === voice.you ? say("table.you-object") : voice.player(seat))),
    voice,
  );
  return from.length ? say("moment.brings-from", { points, names }) : say("moment.brings", { points });
}

const subject = (seat: number, voice: Voice): string => (seat === voice.you ? say("table.you") : voice.player(seat));
