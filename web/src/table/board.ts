// What a board is told beside the view that it draws.

import type { Snippet } from "svelte";
import type { BotInfo, Event, Legal, Text, View, Worths, Zone } from "../wire";

/** A seat as it is labelled on the table. */
export interface SeatLook {
  name: string;
  note: string; // what is to be known of it now, such as that it is thinking, or away; else empty
  waiting: boolean; // whether the table waits for it
  said?: string | null; // what it has just said, an id of the catalogue
  character?: BotInfo | null; // who plays it, where that is one of the game's characters
}

/** What can be opened over a table from its bar. */
export type Which = "score" | "log" | "leave" | "say" | "new" | "yaku";

export interface BoardProps {
  view: View;
  seats: readonly SeatLook[];
  legal: readonly Legal[]; // what may be chosen now; nothing in a replay, or while an answer is on its way
  prompt?: Text | null | undefined; // what is asked, where that is newer than this view
  event?: Event | null; // what led to this view, for the mark on what was played last
  last?: readonly Text[]; // what happened last, told beside what is asked
  openLog?: (() => void) | null; // shows all that has happened, where there is such a list
  undealt?: boolean; // whether it is not known yet if the deal is still to be seen
  aid?: Snippet | null; // who helps with the answer, where somebody does
  teaches?: { says: Snippet; ways: Snippet } | null; // what is said instead of a question, and how one goes on
  opening?: Event | null; // the deal, where whoever looks has come when there was nothing else yet
  worths?: Worths | null; // what each card counts at this table, once that is known
  act?: (action: string) => void; // a legal action was chosen
  refuse?: (card: string) => void; // a card was chosen that may not be played now
  clock?: string; // how long silence is waited for; empty where it is not
  tell?: { score: () => string; events: () => string }; // read aloud by the keys S and L
}

/** How a card stands on the board just now. */
export interface CardLook {
  legal: boolean; // it may be played, or chosen
  matches: boolean; // and not merely be laid
  matched: boolean; // a card that may be played from the viewer's hand matches it
  taken: boolean; // the card that is pointed at would take it
  choice: boolean; // the card that is pointed at could take it, by choice
  chosen: boolean; // it was tapped once, and would be played by a second tap
  fresh: boolean; // it was played or captured last
  staked: boolean; // the viewer has bet on it
  layer: SeatLook | null; // another seat that has laid it since the viewer acted
  why: string; // why it may not be played now; empty where it may, or nobody asks
}

/** What a zone asks of the board that it is part of. */
export interface Desk {
  look: (card: string) => CardLook;
  spoken: (card: string) => string; // its whole name, for the ear
  points: (card: string) => number | null;
  wild: (card: string) => boolean; // whether it can stand for others
  suited: boolean; // whether the cards are of the four suits
  numbered: boolean; // whether the number of a card stands above it
  press: (card: string, kind: string) => void; // it was clicked, tapped or entered, in a zone of this kind
  focus: (card: string | null) => void;
  explain: (card: string) => void; // all there is to know of it
  word: (zone: Zone) => Legal | undefined; // the answer that plays from a zone of the viewer's, and is no card
  open: (zone: Zone) => void; // its cards are to be seen one by one
}
