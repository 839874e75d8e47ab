// The inputs of a board beside the view.

import type { Snippet } from "svelte";
import type { BotInfo, Event, Legal, Text, View, Worths, Zone } from "../wire";

/** The label of a seat on the table. */
export interface SeatLook {
  name: string;
  note: string; // its state, such as thinking or away; else empty
  waiting: boolean; // whether the table waits for it
  side?: number; // its side, where the game has partners
  partner?: boolean; // whether it plays with the viewer
  said?: string | null; // the phrase it has just said, an id of the catalogue
  character?: BotInfo | null; // its player, if that is one of the game's characters
}

/** The panels that the bar of a table can open. */
export type Which = "score" | "log" | "rules" | "leave" | "say" | "new" | "yaku";

export interface BoardProps {
  view: View;
  seats: readonly SeatLook[];
  legal: readonly Legal[]; // the possible actions; empty in a replay, or while an answer is on its way
  prompt?: Text | null | undefined; // the question, if it is newer than this view
  event?: Event | null; // the event before this view, which marks the card played last
  last?: readonly Text[]; // the last events, shown beside the question
  openLog?: (() => void) | null; // shows all events, if there is such a list
  undealt?: boolean; // whether it is not known yet if the deal is still to be shown
  aid?: Snippet | null; // the helper of the answer, if there is one
  teaches?: { says: Snippet; ways: Snippet } | null; // the text in place of a question, and the label of its button
  opening?: Event | null; // the deal, if the viewer arrived before it
  worths?: Worths | null; // the value of each card at this table, once it is loaded
  act?: (action: string) => void; // called with the chosen legal action
  refuse?: (card: string) => void; // called with a card that cannot be played now
  clock?: string; // the time limit; empty for none
  tell?: { score: () => string; events: () => string }; // read by the keys S and L
}

/** The state of a card on the board. */
export interface CardLook {
  legal: boolean; // it can be played or chosen
  matches: boolean; // and takes a card
  matched: boolean; // a playable card of the viewer's hand matches it
  taken: boolean; // the card under the pointer would take it
  choice: boolean; // the card under the pointer could take it, by choice
  chosen: boolean; // it was tapped once, and a second tap plays it
  fresh: boolean; // it was played or captured last
  staked: boolean; // the viewer has bet on it
  layer: SeatLook | null; // the other seat that has laid it since the viewer acted
  why: string; // why it cannot be played now; empty if it can, or if it is nobody's turn
}

/** The callbacks of a zone to its board. */
export interface Desk {
  look: (card: string) => CardLook;
  spoken: (card: string) => string; // its whole name, for screen readers
  points: (card: string) => number | null;
  wild: (card: string) => boolean; // whether it can stand for others
  suited: boolean; // whether the cards are of the four suits
  numbered: boolean; // whether the number of a card stands above it
  press: (card: string, kind: string) => void; // a card was clicked, tapped or entered, in a zone of this kind
  focus: (card: string | null) => void;
  explain: (card: string) => void; // shows the details of a card
  word: (zone: Zone) => Legal | undefined; // the answer that plays from a zone of the viewer's, and is no card
  open: (zone: Zone) => void; // shows its cards one by one
}
