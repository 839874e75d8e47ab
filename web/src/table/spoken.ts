// Cards and zones for screen readers: names, points, and the effect of a card.

import { say } from "../lib/language.svelte";
import { settings } from "../lib/settings.svelte";
import type { Voice } from "../lib/voice";
import type { Legal, Text, View, Worths, Zone } from "../wire";
import { isCard } from "./layout";
import type { Moment } from "./moments";
import { joined } from "./seats";

/** Return the value of a card in words; empty if it is not loaded, or if cards have no value in the game. */
export function pointsOf(card: string, worths: Worths | null | undefined): string {
  const worth = worths?.cards[card];
  const points = worth?.points ?? null;
  const counts = points === null ? "" : say("board.points", { n: points });
  return [counts, worth?.wild ? say("card.wild") : ""].filter(Boolean).join(say("board.comma"));
}

/** Return the effect of a legal card in words; empty for none. */
function deedOf(legal: Legal | undefined, voice: Voice): string {
  if (!legal) return "";
  if (isCard(legal.action) && legal.text.id !== "card") return voice.text(legal.text); // it is not simply played
  const others = legal.takes.filter((card) => card !== legal.action);
  if (others.length) return say("board.takes-cards", { cards: voice.cards(others) });
  if (legal.choices.length) return say("board.choice-cards", { cards: voice.cards(legal.choices) });
  return "";
}

/** Describe a card with everything that a player who cannot see it needs to know. */
export function spokenCard(
  card: string,
  voice: Voice,
  about: { worths?: Worths | null | undefined; legal?: Legal | undefined; fresh?: boolean },
): string {
  const points = settings.names === "long" ? pointsOf(card, about.worths) : "";
  const name = [voice.spoken(card), points, about.fresh ? say("board.new") : ""].filter(Boolean).join(say("board.comma"));
  return [name, deedOf(about.legal, voice)].filter(Boolean).join(say("board.semicolon"));
}

/** Describe a choice under the pointer: a card with its points and its effect; of a word only the effect. */
export function shownCard(action: string, voice: Voice, worths: Worths | null, legal: Legal | undefined): string {
  const name = isCard(action)
    ? [voice.suited ? voice.both(action) : voice.spoken(action), pointsOf(action, worths)].filter(Boolean).join(say("board.comma"))
    : "";
  return [name, deedOf(legal, voice)].filter(Boolean).join(say("board.semicolon"));
}

/** Return the name of a zone for the viewer. */
export function placeName(zone: Zone, you: number | null, voice: Voice): string {
  const place = voice.place(zone);
  if (zone.owner === null) return place;
  if (zone.owner === you) return say("board.your-place", { place: place.toLowerCase() });
  return say("board.place-of", { name: voice.player(zone.owner), place: place.toLowerCase() });
}

/** Describe a zone: its name, its number of cards, and the cards. */
export function spokenZone(zone: Zone, you: number | null, voice: Voice): string {
  const seen = zone.cards.filter((card) => card !== null);
  const place = placeName(zone, you, voice);
  if (zone.count === null) return say("board.zone-hidden", { place });
  const parts = [voice.cards(seen), unseen(zone), staked(zone)].filter(Boolean).join(say("board.semicolon"));
  return zone.count ? say("board.zone", { place, n: zone.count, cards: parts }) : say("board.zone-empty", { place });
}

/** Describe an amount in the middle of the table. */
const spokenAmount = (place: string, n: number): string => say("board.amount", { place, n });

/** Describe zones: the hand, the viewer's own if there is one; the field and the common zones; or the other zones of the seats. */
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

/** Describe the score, line by line. `nameOf` returns the name of a seat. */
export function spokenScore(view: View | null, nameOf: (seat: number) => string, voice: Voice | null): string {
  const lines = voice && view ? view.score : [];
  const score = lines
    .map(({ seat, text, points }) =>
      say("table.score-line", {
        name: typeof seat === "string" ? (voice?.entry("accounts", seat) ?? "") : nameOf(seat),
        what: voice?.text(text) ?? "",
        points,
      }),
    )
    .join(" ");
  return score || say("sheet.nothing-yet");
}

/** Return how many cards of a zone are hidden, and why; empty for none. */
export function unseen(zone: Zone): string {
  const count = zone.cards.filter((card) => card === null).length;
  if (!count) return "";
  return zone.layout === "cloth" ? say("board.covered") : faceDown(count);
}

/** Return the stake of a zone; empty for none. */
export const staked = (zone: Zone): string => (zone.stake ? say("board.staked", { n: zone.stake }) : "");

/** Return the number of cards in a zone, or that it is hidden. */
export const number = (zone: Zone): string => (zone.count === null ? say("board.hidden") : `${zone.count}`);

/** Return a number of face-down cards in words. */
export const faceDown = (count: number): string => say("board.face-down", { n: count });

// --- Events ---

/** Return an event as the log shows it, with the texts of its moments. */
export function spokenEntry(entry: { text: Text; moments: readonly Moment[] }, voice: Voice): string {
  return [voice.text(entry.text), ...entry.moments.map((moment) => spokenMoment(moment, voice))].filter(Boolean).join(" ");
}

/** Return the text of a moment beyond that of its event; empty if the event says it all. */
function spokenMoment(moment: Moment, voice: Voice): string {
  if (moment.kind === "yaku") {
    const name = subject(moment.seat, voice);
    return say("moment.yaku", { name, yaku: voice.yaku(moment.yaku), brings: brings(moment, voice) });
  }
  return moment.kind === "round" || moment.kind === "match" ? voice.text(moment.result) : "";
}

/** Return the points of a yaku, or what it costs, and their payer; empty if that is not known yet. */
export function brings({ points, from }: Extract<Moment, { kind: "yaku" }>, voice: Voice): string {
  if (!points) return "";
  const names = joined(
    from.map((seat) => (seat === voice.you ? say("table.you-object") : voice.player(seat))),
    voice,
  );
  if (points < 0) return say("moment.costs", { points: -points, names });
  return from.length ? say("moment.brings-from", { points, names }) : say("moment.brings", { points });
}

const subject = (seat: number, voice: Voice): string => (seat === voice.you ? say("table.you") : voice.player(seat));
