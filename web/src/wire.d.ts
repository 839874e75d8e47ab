// Made by `npm run types` from docs/view.schema.json, where docs/view.md tells what everything means. Not written by hand.

/**
 * What travels between a table server and its clients. docs/view.md is the guide.
 */
export type Mekuri =
  | Table
  | Event
  | TablePresence
  | Notice
  | Guest
  | Devices
  | Code
  | Export
  | Tables
  | Events
  | Answer
  | Replay
  | Worths
  | Analysis
  | Problem
  | Games
  | GameInfo
  | Catalogue
  | RuleBook
  | AskGuest
  | AskDevice
  | AskTable
  | AskSeat
  | AskFree
  | AskAction
  | AskReady;

/**
 * A table as one viewer sees it: all there is to know, so whoever has it needs nothing that was before.
 */
export interface Table {
  /**
   * the table's name in every address. Whoever has it may watch, and sit down where a seat is free.
   */
  id: string;
  /**
   * the game's name.
   */
  game: string;
  /**
   * the version of the rules.
   */
  ruleset: number;
  /**
   * those that differ from the defaults.
   */
  options: {
    [k: string]: string;
  };
  /**
   * those that differ from the defaults.
   */
  match_options: {
    [k: string]: string;
  };
  /**
   * how many rounds the match has at most; 0 where that is not known before it.
   */
  length: number;
  /**
   * whether it is listed while a seat is free.
   */
  public: boolean;
  /**
   * `order` where one sits down in a free seat of one's choice, `lot` where lots are drawn for the seats when all are taken.
   */
  seating: "lot" | "order";
  /**
   * the seat that deals first, where one was named or the deal passes on from a match before; null for a lot.
   */
  first_dealer: number | null;
  /**
   * how many things the viewer has seen happen at this table.
   */
  version: number;
  /**
   * the viewer's seat; null for a spectator.
   */
  you: number | null;
  head: Head;
  /**
   * who is connected, for each seat in which a person sits.
   */
  presence: Presence[];
  /**
   * the present round; null before the first.
   */
  view: View | null;
}
/**
 * What is known of a table beside the cards.
 */
export interface Head {
  /**
   * `open` until every seat is taken, then `running`, then `over`.
   */
  state: "open" | "over" | "running";
  /**
   * why it is over: the match was `played` to its end, `agreed` to end after a round, `abandoned`, or is void: it no longer replays (`void`), or the server was set back to a backup made amid it (`restored`), or the server's keeper has closed it (`closed`).
   */
  why: ("abandoned" | "agreed" | "closed" | "played" | "restored" | "void") | null;
  /**
   * the number of the present round, from 1; 0 while the table is open.
   */
  round: number;
  /**
   * the seats in playing order.
   */
  seats: Seat[];
  /**
   * the SHA-256, in hex, of the secret that the next round to be opened is dealt from.
   */
  commitment: string;
  /**
   * the secret opened last, in hex. It belongs to the last finished round.
   */
  secret: string | null;
  /**
   * what each seat has put into the shuffle; empty while the table is open.
   */
  cuts: string[];
  /**
   * the seats in the first place, when the match has been played or its end was agreed.
   */
  winners: number[] | null;
  /**
   * where those who sat here play again; null until one of them has asked for it.
   */
  rematch: Rematch | null;
  /**
   * the seat of whoever has made the table, who may free others' until the match begins; null where they do not sit.
   */
  maker?: number | null;
}
/**
 * A seat at the table.
 */
export interface Seat {
  /**
   * its number.
   */
  seat: number;
  /**
   * who it is for. A person's seat in which nobody has sat down yet has no name.
   */
  kind: "bot" | "person";
  /**
   * the name that the person has now; null where none sits.
   */
  name: string | null;
  /**
   * the bot that plays it: always for a bot's seat, and while its person is away.
   */
  bot: string | null;
  /**
   * whether it is ready to go on after a finished round.
   */
  ready: boolean;
  /**
   * whether it would have that round be the last.
   */
  enough: boolean;
  /**
   * the person of the match before for whom the seat is kept; null where it is not, or where somebody sits in it.
   */
  kept_for: string | null;
  /**
   * whether that person has had everything deleted and is known here no more. `name` says so in English then, and the catalogue's `table.gone` in its language.
   */
  gone?: boolean;
  /**
   * whether a lot is still to be drawn for it: when every seat is taken, whoever waits here may come to another.
   */
  by_lot?: boolean;
}
/**
 * The table at which a match goes on that is over.
 */
export interface Rematch {
  /**
   * its id.
   */
  table: string;
  /**
   * the seat, at the old table, that asked for it first.
   */
  seat: number;
}
/**
 * Whether the person of a seat is connected.
 */
export interface Presence {
  /**
   * the seat.
   */
  seat: number;
  /**
   * whether the person follows the table now.
   */
  here: boolean;
  /**
   * when a bot takes the seat of a person who has gone, in milliseconds since 1970; null where none will.
   */
  bot_at: number | null;
}
/**
 * What one viewer sees of a round.
 */
export interface View {
  /**
   * the game's name.
   */
  game: string;
  /**
   * how many things the viewer has seen happen at this table. Send it back with an action.
   */
  version: number;
  /**
   * the viewer's seat; null for a spectator.
   */
  you: number | null;
  /**
   * the seat that deals.
   */
  dealer: number;
  /**
   * the seats that owe an action.
   */
  waiting: number[];
  /**
   * when silence counts as an answer, in milliseconds since 1970; null where the table waits.
   */
  closes: number | null;
  /**
   * what the viewer is asked; null when it is not the viewer's turn.
   */
  prompt: Text | null;
  /**
   * the shape of the table: faces, ring, bank or pile.
   */
  table: string;
  /**
   * the places on the table.
   */
  zones: Zone[];
  /**
   * what the viewer may do.
   */
  legal: Legal[];
  /**
   * the cards of the viewer's own hand that may not be played now, where the viewer is asked; else empty.
   */
  refused: Refused[];
  /**
   * the score sheet as it stands, from what the viewer sees.
   */
  score: Line[];
  /**
   * the yaku within the viewer's reach.
   */
  near: Near[];
  /**
   * amounts that lie in the middle of the table, such as a pot, by the names of their places.
   */
  middle: {
    [k: string]: number;
  };
  /**
   * whether the round is done.
   */
  over: boolean;
  /**
   * how the finished round ended: an id among the catalogue's endings.
   */
  ending: string | null;
  /**
   * what the finished round changes for each seat.
   */
  returns: number[] | null;
  /**
   * who has won the finished round, and what decided it, in one sentence.
   */
  result?: Text | null;
  /**
   * who deals after the finished round, if there is another.
   */
  next_dealer: number | null;
  /**
   * each seat's accounts in the match; a finished round is in them once its secret is opened.
   */
  ledger: {
    [k: string]: number;
  }[];
  /**
   * accounts that are nobody's, such as a kitty, likewise.
   */
  house: {
    [k: string]: number;
  };
  /**
   * of each seat those that it has reached, and the nearest three of the others, the nearest first.
   */
  goals?: Goal[];
  /**
   * for each seat what it has counted up in the round, null where it counts nothing.
   */
  scores?: (Counted | null)[];
}
/**
 * A text to be rendered from the game's catalogue.
 */
export interface Text {
  /**
   * `table.key` of the catalogue; `card` is the name of the card among the arguments.
   */
  id: string;
  /**
   * `seat` is a seat's number, `card` a card, `cards` a list of cards, `yaku` a yaku's id; a text may be within a text.
   */
  args?: {
    [k: string]: number | string | string[] | Text;
  };
}
/**
 * A place on the table.
 */
export interface Zone {
  /**
   * what the place is; with `owner` it is unique on the table.
   */
  id: string;
  /**
   * the seat it belongs to; null for a common place.
   */
  owner: number | null;
  /**
   * what it is for.
   */
  kind: string;
  /**
   * how its cards lie; `cloth` is face up under a cloth.
   */
  layout: string;
  /**
   * the cards, in notation; null where the viewer may not see one.
   */
  cards: (string | null)[];
  /**
   * how many they are; null where even that is hidden.
   */
  count: number | null;
  /**
   * what is staked on them.
   */
  stake?: number;
}
/**
 * Something the viewer may do.
 */
export interface Legal {
  /**
   * what is sent to do it: a card or a word.
   */
  action: string;
  text: Text;
  /**
   * the cards it would capture at once.
   */
  takes: string[];
  /**
   * the cards among which the viewer would have to choose next.
   */
  choices: string[];
}
/**
 * A card of the viewer's own hand that may not be played now.
 */
export interface Refused {
  /**
   * the card, in notation.
   */
  card: string;
  text: Text;
  /**
   * the clause of the rule book that forbids it; empty where the game cites none.
   */
  clause: string;
}
/**
 * A line of the score sheet: what a seat has, with which cards, what it counts, and the clause that says so, if there is one. `seat` is a seat's number, or the name of an account that is nobody's.
 */
export interface Line {
  seat: number | string;
  text: Text;
  cards: string[];
  points: number;
  clause: string;
}
/**
 * A yaku within the viewer's reach, and the cards it still lacks.
 */
export interface Near {
  yaku: string;
  missing: string[];
}
/**
 * What a seat works towards, from what lies open on the table.
 */
export interface Goal {
  /**
   * whose it is.
   */
  seat: number;
  text: Text;
  /**
   * what it brings; null where that is not a number.
   */
  value: number | null;
  /**
   * how many steps there are to it, such as cards: the pips.
   */
  needs: number;
  /**
   * how many of them are done. All: it has been reached.
   */
  has: number;
  /**
   * the cards of it that the seat has.
   */
  made: string[];
  /**
   * those that it lacks; empty where it is not about certain cards.
   */
  lacks: string[];
  /**
   * whether it can no longer be reached.
   */
  lost: boolean;
}
/**
 * How a seat stands in what is counted up in the round, from nothing.
 */
export interface Counted {
  /**
   * what it has.
   */
  points: number;
  /**
   * from how much on the round brings it something, as things stand; null where nothing is fixed.
   */
  wins_from: number | null;
}
/**
 * Something that has happened at a table, as one viewer saw it.
 */
export interface Event {
  /**
   * the table's id.
   */
  table: string;
  /**
   * of the viewer's view after it. Versions of one viewer have no gaps.
   */
  version: number;
  /**
   * `play` is an action on the table, all others are about the table itself.
   */
  kind: "back" | "end" | "hold" | "lapse" | "leave" | "open" | "play" | "ready" | "rematch" | "round" | "sit";
  /**
   * who did it; 16 is the driver, who deals, turns over and settles; null where nobody did.
   */
  seat: number | null;
  /**
   * what was played, in notation; null where the viewer may not know it yet, and for other kinds than `play`.
   */
  action: string | null;
  text: Text;
  /**
   * the table's head after it; null where that has not changed.
   */
  head: Head | null;
  /**
   * the round after it; null before the first.
   */
  view: View | null;
}
/**
 * Somebody's line was lost or has come back. It has no version: nothing has happened on the table.
 */
export interface TablePresence {
  table: string;
  presence: Presence[];
}
/**
 * What the keeper of the server tells everybody.
 */
export interface Notice {
  /**
   * the same in one language or several, by `en` and `ja`; empty where nothing is told.
   */
  texts: {
    [k: string]: string;
  };
}
/**
 * A person, without sign-up.
 */
export interface Guest {
  /**
   * the person's public name to the server.
   */
  id: string;
  /**
   * what others see.
   */
  name: string;
  /**
   * the secret that proves who you are, told once. Send it as `Authorization: Bearer ...`; a browser has it as a cookie.
   */
  token?: string | null;
}
/**
 * What a person may come with, oldest first.
 */
export interface Devices {
  devices: Device[];
}
/**
 * Something that a person comes with, such as a browser; it has a token of its own. Times in milliseconds since 1970.
 */
export interface Device {
  /**
   * since when.
   */
  made_at: number;
  /**
   * when the person last came with it, to within an hour.
   */
  seen_at: number;
  /**
   * whether it is the one that asks.
   */
  here: boolean;
}
/**
 * By which you become yourself on another device. It is good once, until you ask for another, and for a few minutes.
 */
export interface Code {
  /**
   * twelve digits.
   */
  code: string;
  /**
   * until when it is good, in milliseconds since 1970.
   */
  until: number;
  /**
   * an address of the page that brings it along. What follows the `#` is sent to no server by opening it.
   */
  link: string;
  /**
   * the link as a QR code, row by row, each a text of `0` for light and `1` for dark, without the light margin of four.
   */
  qr: string[];
}
/**
 * All that the server keeps about a person.
 */
export interface Export {
  /**
   * the version of this format: 1.
   */
  mekuri_guest: 1;
  /**
   * the person's public name to the server.
   */
  id: string;
  /**
   * what others see.
   */
  name: string;
  /**
   * since when the person is a guest, in milliseconds since 1970.
   */
  made_at: number;
  /**
   * what the person may come with, without the tokens, of which only hashes are kept.
   */
  devices: Device[];
  /**
   * until when the keeper has banned the person, in milliseconds since 1970, also where that is over; null for never.
   */
  banned_until: number | null;
  /**
   * why.
   */
  banned_why: string | null;
  /**
   * the tables that the person has made or sat at, those that the person has made first.
   */
  matches: ExportedMatch[];
}
/**
 * A table that a person has made or sat at.
 */
export interface ExportedMatch {
  /**
   * its id. The record of a match that is over is at `/api/tables/TABLE/record`.
   */
  table: string;
  /**
   * the game's name.
   */
  game: string;
  /**
   * as in the head.
   */
  state: "open" | "over" | "running";
  /**
   * when it was made, in milliseconds since 1970.
   */
  made_at: number;
  /**
   * whether the person made it.
   */
  maker: boolean;
  /**
   * all that the person has done there, in order.
   */
  rows: ExportedRow[];
}
/**
 * Something that a person has done at a table.
 */
export interface ExportedRow {
  /**
   * `make` for the table, `sit`, `leave`, `back`, `ready`, `play`, `rematch`.
   */
  kind: string;
  /**
   * when, in milliseconds since 1970.
   */
  at: number;
  /**
   * in which seat; null for the making of the table.
   */
  seat: number | null;
  /**
   * what the server noted of it: a cut, an action, the options of a table.
   */
  body: {};
}
/**
 * Tables to go to.
 */
export interface Tables {
  /**
   * public tables with a free seat: those first whose makers are there, then the newest; few of one maker.
   */
  open: Table[];
  /**
   * tables in progress at which you sit, newest first.
   */
  yours: Table[];
}
/**
 * What has happened since a version; `table` as it stands now.
 */
export interface Events {
  events: Event[];
  table: Table;
}
/**
 * What became of an action. The same action sent again gets the same answer.
 */
export interface Answer {
  /**
   * the table's id.
   */
  table: string;
  /**
   * the action that stands.
   */
  action: string;
  /**
   * of your view after it and what followed at once.
   */
  version: number;
}
/**
 * A finished round as one seat, or a spectator, saw it.
 */
export interface Replay {
  table: string;
  /**
   * its number, from 1.
   */
  round: number;
  /**
   * the seat; null for what spectators saw.
   */
  you: number | null;
  /**
   * the names in playing order.
   */
  seats: string[];
  /**
   * everything that happened, from the deal to the settlement.
   */
  events: Event[];
}
/**
 * What every card in play counts under the options of a table: the same for everybody, and for as long as the table is there.
 */
export interface Worths {
  /**
   * the table's id.
   */
  table: string;
  /**
   * by notation.
   */
  cards: {
    [k: string]: Worth;
  };
}
/**
 * What a card counts.
 */
export interface Worth {
  /**
   * what it counts by itself; null where the game gives cards no points.
   */
  points: number | null;
  /**
   * the ids of those it can be part of, in the order of the catalogue.
   */
  yaku: string[];
}
/**
 * What a decision's actions are worth, for all that its seat could know.
 */
export interface Analysis {
  /**
   * the table's id.
   */
  table: string;
  /**
   * the round's number, from 1.
   */
  round: number;
  /**
   * whose decision it is.
   */
  seat: number;
  /**
   * of the seat's view in which it is asked.
   */
  version: number;
  /**
   * what the seat may do, but for taking back what it has done: best first.
   */
  actions: Weighed[];
  /**
   * what decides between the best two.
   */
  facts: Text[];
}
/**
 * Something that a seat may do, and what comes of it.
 */
export interface Weighed {
  /**
   * what is sent to do it.
   */
  action: string;
  text: Text;
  /**
   * what the seat wins with it, on average.
   */
  mean: number;
  /**
   * the 95 % interval of that.
   */
  least: number;
  /**
   * the 95 % interval of that.
   */
  most: number;
  /**
   * in how many worlds it was tried: deals that are possible for all that the seat knows.
   */
  worlds: number;
  /**
   * in how many of them the seat won something.
   */
  won: number;
  /**
   * the cards that it takes at once.
   */
  takes: string[];
  /**
   * the yaku that the seat has by it.
   */
  makes: string[];
  /**
   * those within the seat's reach after it.
   */
  keeps: string[];
  /**
   * those that were within its reach, and are not after it.
   */
  gives_up: string[];
  /**
   * those that were within another's reach, and are not after it.
   */
  denies: YakuOf[];
  /**
   * those within another's reach after it.
   */
  leaves: YakuOf[];
  /**
   * which yaku came to be in the end.
   */
  comes: YakuOf[];
  /**
   * what would best be answered; null where nobody is asked, or it was not looked for.
   */
  reply: Reply | null;
}
/**
 * A yaku of a seat.
 */
export interface YakuOf {
  /**
   * the seat.
   */
  seat: number;
  /**
   * its id.
   */
  yaku: string;
  /**
   * in how many worlds it came to be; null where that is not told.
   */
  worlds: number | null;
}
/**
 * What would best be answered.
 */
export interface Reply {
  /**
   * the seat that is asked next.
   */
  seat: number;
  /**
   * what it would do, in notation.
   */
  action: string;
  text: Text;
  /**
   * in how many worlds it can do that.
   */
  worlds: number;
  /**
   * in how many worlds it was asked.
   */
  of: number;
  /**
   * what that seat wins with it, on average.
   */
  mean: number;
}
/**
 * Why something was refused.
 */
export interface Problem {
  /**
   * what went wrong, among the catalogue's `errors`; or `illegal` where the rules forbid an action.
   */
  error: string;
  /**
   * the same in English.
   */
  message: string;
  text: Text;
  /**
   * the clause of the rule book that forbids the action; null where there is none.
   */
  clause?: string | null;
}
/**
 * All that a server can deal.
 */
export interface Games {
  /**
   * of the catalogues and rule books.
   */
  languages: string[];
  /**
   * those that play every game: of other makers, and those that are there to be studied.
   */
  bots: BotInfo[];
  /**
   * in the order of their names.
   */
  games: GameInfo[];
  /**
   * the address under which people see this server, before the path of a link; null where that is the one asked.
   */
  public_url?: string | null;
}
/**
 * A bot that may be given a seat.
 */
export interface BotInfo {
  /**
   * the bot's name, as a seat is given to it.
   */
  id: string;
  /**
   * what it is called.
   */
  name: {
    [k: string]: string;
  };
  /**
   * how it plays; of a character its temper.
   */
  help: {
    [k: string]: string;
  };
  /**
   * a character's place among the levels of the game, from 1 for the weakest; null where there is no order.
   */
  level?: number | null;
  /**
   * what a character is known by. A bot without one is there to be studied, or came from elsewhere.
   */
  crest?: Crest | null;
}
/**
 * A drawing in two colours, within a square of 48 units, as SVG path data.
 */
export interface Crest {
  /**
   * what is filled with the colour of the text, by the rule `evenodd`.
   */
  ink: string;
  /**
   * what is filled with red beneath it, likewise.
   */
  red: string;
}
/**
 * A game, and all that can be chosen for a table of it.
 */
export interface GameInfo {
  /**
   * the game's name.
   */
  id: string;
  /**
   * of the ruleset.
   */
  version: number;
  /**
   * what it is called.
   */
  name: {
    [k: string]: string;
  };
  /**
   * one line about it.
   */
  summary: {
    [k: string]: string;
  };
  /**
   * the numbers of seats it can have, the usual one first.
   */
  seats: number[];
  /**
   * of its table: `faces`, `ring`, `bank` or `pile`.
   */
  shape: string;
  /**
   * how hard it is to begin with, from 1 to 3; 0 where the game does not say.
   */
  hard: number;
  /**
   * that a round takes, about; 0 where the game does not say.
   */
  minutes: number;
  /**
   * named sets of options; the first is the default.
   */
  presets: Preset[];
  /**
   * those of a round.
   */
  options: Option[];
  /**
   * those of a match, such as its length.
   */
  match_options: Option[];
  /**
   * the sets of card names; the first is the default.
   */
  packs: Pack[];
  /**
   * the card that stands for the game where there is room for one, in notation.
   */
  face: string;
  /**
   * those that play this game and not every game: its characters, the weakest first; then those of other makers.
   */
  bots: BotInfo[];
  /**
   * the id of the one who plays where nobody says who.
   */
  usual: string;
}
/**
 * A named set of options, of a round and of a match.
 */
export interface Preset {
  /**
   * of the preset.
   */
  id: string;
  /**
   * those that differ from the defaults, and their values.
   */
  options: {
    [k: string]: string;
  };
  /**
   * those that differ from the defaults, and their values.
   */
  match_options: {
    [k: string]: string;
  };
  /**
   * what it stands for.
   */
  text: {
    [k: string]: string;
  };
}
/**
 * An option of a game, or of a match of it. Its values are written as texts, here and wherever options are chosen.
 */
export interface Option {
  /**
   * of the option.
   */
  name: string;
  /**
   * its default.
   */
  default: string;
  /**
   * every value it can have; empty for a number within a range, or for a row of numbers.
   */
  values: string[];
  /**
   * the range of a number, or of the numbers in a row.
   */
  least: number;
  /**
   * the range of a number, or of the numbers in a row.
   */
  most: number;
  /**
   * whether it is a row of numbers, written `1-5,7`.
   */
  row: boolean;
  /**
   * of a number within a range those that are common, and the words that may stand in its place, such as `circuit`.
   */
  offered: string[];
  /**
   * what older records and addresses wrote for a word, and the word.
   */
  older: {
    [k: string]: string;
  };
  /**
   * what it is called.
   */
  title: {
    [k: string]: string;
  };
  /**
   * what the choice changes, and who says so.
   */
  help: {
    [k: string]: string;
  };
  /**
   * what its values are called; a number is called by itself.
   */
  value_texts: {
    [k: string]: {
      [k: string]: string;
    };
  };
  /**
   * the clauses of the rule book that it changes; the sources stand there.
   */
  clauses: string[];
}
/**
 * A set of card names that a game can be shown with.
 */
export interface Pack {
  /**
   * of the set, as in `Catalogue.names`.
   */
  id: string;
  /**
   * what it is called.
   */
  title: {
    [k: string]: string;
  };
  /**
   * the name of the drawn pack its cards are shown with.
   */
  drawn: string;
  /**
   * the address of the drawings, which changes when they do. In it are symbols: every card by its notation (`#7I`), `#back`, and marks for the corners, `#latin-7I` and `#kanji-7I`.
   */
  sprite: string;
}
/**
 * Every text that can come up at a table of a game, in one language. How texts are rendered is told above.
 */
export interface Catalogue {
  /**
   * the game's name.
   */
  game: string;
  /**
   * of the ruleset.
   */
  version: number;
  /**
   * the language.
   */
  lang: string;
  /**
   * what the game is called.
   */
  name: string;
  /**
   * one line about it.
   */
  summary: string;
  /**
   * by table and key, with arguments in braces. There are all tables of the rule book that hold texts, such as `chapters`, `presets`, `prompts`, `words`, `events`, `refusals`, `lines`, `accounts`, `endings` and `zones`, and the server's own: `table` (what happens beside play), `errors`, `bots`, `bots-help`, `values`, `numbers` and `you`.
   */
  texts: {
    [k: string]: {
      [k: string]: string;
    };
  };
  /**
   * the clause that a text cites, by the text's id: most refusals and events have one.
   */
  cites: {
    [k: string]: string;
  };
  /**
   * the text of every clause.
   */
  clauses: {
    [k: string]: string;
  };
  /**
   * by id.
   */
  yaku: {
    [k: string]: Yaku;
  };
  /**
   * sets of card names; the first is the default.
   */
  names: {
    [k: string]: CardNames;
  };
  /**
   * of captured cards, in the order in which they are shown; empty where the game has none.
   */
  groups?: Group[];
  /**
   * whether the game turns on the numbers of its cards, so that they stand beside the picture.
   */
  numbers?: boolean;
  /**
   * the account among `texts.accounts` in which a round is counted; null where the game has no accounts.
   */
  unit?: string | null;
}
/**
 * A yaku, in one language.
 */
export interface Yaku {
  /**
   * of the yaku.
   */
  id: string;
  /**
   * what it is called.
   */
  name: string;
  /**
   * how its Japanese name is read, in kana.
   */
  kana: string;
  /**
   * the same in Latin letters.
   */
  reading: string;
  /**
   * those it is made of, in notation.
   */
  cards: string[];
  /**
   * the clause that says so; empty where there is none.
   */
  clause: string;
}
/**
 * A set of card names, in one language.
 */
export interface CardNames {
  /**
   * what the set is called.
   */
  title: string;
  /**
   * the name of every card, by its notation.
   */
  cards: {
    [k: string]: string;
  };
  /**
   * how its Japanese name is read, whatever the language: the name itself where that has no kanji.
   */
  kana: {
    [k: string]: string;
  };
  /**
   * the same in Latin letters.
   */
  latin: {
    [k: string]: string;
  };
}
/**
 * A group of captured cards that count alike.
 */
export interface Group {
  /**
   * its name stands among the catalogue's `groups`.
   */
  id: string;
  /**
   * those that belong to it, in notation.
   */
  cards: string[];
}
/**
 * The rule book of a game, in one language.
 */
export interface RuleBook {
  /**
   * the game's name.
   */
  game: string;
  /**
   * of the ruleset.
   */
  version: number;
  /**
   * the language.
   */
  lang: string;
  /**
   * what the game is called.
   */
  name: string;
  /**
   * one line about it.
   */
  summary: string;
  /**
   * how far the sources trust themselves; empty where they say nothing of it.
   */
  warning: string;
  /**
   * where they do.
   */
  warned_by: SourceRow[];
  /**
   * in the order of play.
   */
  chapters: Chapter[];
  /**
   * in the order of the game's scoring table.
   */
  yaku: Yaku[];
  /**
   * those that the rules come from, by key.
   */
  works: {
    [k: string]: Work;
  };
}
/**
 * What a sentence of a work says.
 */
export interface SourceRow {
  /**
   * key of the work in the rule book.
   */
  work: string;
  /**
   * of the work.
   */
  title: string;
  /**
   * the heading the sentence stands under.
   */
  place: string;
  /**
   * the number of the sentence in the work's text, from 1; null where the text has not been read.
   */
  ordinal: number | null;
  /**
   * the sentence in our words, and what of it is lost.
   */
  says: string;
  /**
   * who reports it, where the text has not been read; else empty.
   */
  second_hand: string;
}
/**
 * A run of clauses under one heading.
 */
export interface Chapter {
  /**
   * of the chapter. One that is taken up again later in the book comes again.
   */
  id: string;
  /**
   * its heading.
   */
  title: string;
  /**
   * in the order of play.
   */
  clauses: ClauseText[];
}
/**
 * A sentence of the rule book, in one language.
 */
export interface ClauseText {
  /**
   * of the clause.
   */
  id: string;
  /**
   * the sentence, as the default options play it.
   */
  text: string;
  /**
   * `attested`, `inferred`, `reconstructed` or `house`.
   */
  status: string;
  /**
   * the argument for it, where no source stands behind it; else empty.
   */
  why: string;
  /**
   * the names of those that change it.
   */
  options: string[];
  /**
   * what it rests on.
   */
  sources: SourceRow[];
  /**
   * what it does.
   */
  examples: ExampleText[];
}
/**
 * A worked example of a clause: a position, what is played, and what comes of it.
 */
export interface ExampleText {
  /**
   * those that differ from the defaults.
   */
  options: {
    [k: string]: string;
  };
  /**
   * the position it starts from, as text.
   */
  position: string;
  /**
   * what is played, separated by spaces; `seat:action` where it must be said who plays.
   */
  action: string;
  /**
   * the parts of the position it leads to that are worth looking at; else empty.
   */
  result: string;
  /**
   * of the finished round, for each seat; null where the example does not say.
   */
  returns: number[] | null;
  /**
   * after the finished round; null where the example does not say.
   */
  next_dealer: number | null;
  /**
   * clauses that stand on the score sheet.
   */
  sheet: string[];
  /**
   * the clause that forbids the last action, in place of all these; else empty.
   */
  refused: string;
  /**
   * what lies on the table before it. All cards are seen but those that are still to be shuffled, and the stock lies in the order in which it will come. What the position does not name is left out, and so are places where nothing lies.
   */
  before: Zone[];
  /**
   * the same after it, and after what the table does by itself; empty where the action is refused. Cards that were shuffled meanwhile lie as spectators see them.
   */
  after: Zone[];
}
/**
 * A work that rules come from, as it names itself.
 */
export interface Work {
  /**
   * what a reader needs to find it.
   */
  title: string;
  /**
   * what a reader needs to find it.
   */
  author: string;
  /**
   * what a reader needs to find it.
   */
  place: string;
  /**
   * a revision, date or edition.
   */
  revision: string;
  /**
   * that of its text.
   */
  licence: string;
}
/**
 * Ask for a guest's place, or for another name.
 */
export interface AskGuest {
  name?: string | null;
}
/**
 * Become on this device who you are on another.
 */
export interface AskDevice {
  /**
   * the code that the other shows. Blanks and hyphens in it do not count.
   */
  code: string;
  /**
   * whether you may give up who you are here. Without it, a guest is refused.
   */
  replace?: boolean;
}
/**
 * Make a table.
 */
export interface AskTable {
  /**
   * a game's name.
   */
  game: string;
  /**
   * a named set of options, a match's among them.
   */
  preset?: string;
  /**
   * options given beside it, as texts. They win over it.
   */
  options?: {
    [k: string]: string;
  };
  /**
   * options given beside it, as texts. They win over it.
   */
  match_options?: {
    [k: string]: string;
  };
  /**
   * for each seat `person` or a bot's name. Left out: a person against bots.
   */
  seats?:
    | []
    | [string]
    | [string, string]
    | [string, string, string]
    | [string, string, string, string]
    | [string, string, string, string, string]
    | [string, string, string, string, string, string]
    | [string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string, string, string, string]
    | [string, string, string, string, string, string, string, string, string, string, string, string, string, string, string]
    | [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string,
        string
      ]
    | null;
  /**
   * whether to list it while a seat is free. Otherwise only whoever has the address finds it.
   */
  public?: boolean;
  /**
   * `lot` where lots are to be drawn for the seats when all are taken, the bots' too, however `seats` lists them.
   */
  seating?: "lot" | "order";
  /**
   * the seat that deals first; null where a lot is drawn for it. Where lots are drawn for the seats, it is whoever draws that seat.
   */
  first_dealer?: number | null;
}
/**
 * Sit down.
 */
export interface AskSeat {
  /**
   * which seat; the first free one if left out. Where lots are drawn, none may be named.
   */
  seat?: number | null;
  /**
   * A number or text of your own choice that goes into every shuffle, so that nobody can arrange the pack alone.
   */
  cut?: string;
}
/**
 * Free somebody else's seat at a table of yours that waits for players.
 */
export interface AskFree {
  /**
   * which seat.
   */
  seat: number;
  /**
   * Of the view that the action answers.
   */
  version: number;
  /**
   * whether the person may not sit down at this table again.
   */
  keep_out?: boolean;
}
/**
 * Do something on the table.
 */
export interface AskAction {
  /**
   * Of the view that the action answers.
   */
  version: number;
  /**
   * the `action` of one of its `legal`.
   */
  action: string;
}
/**
 * Go on after a finished round.
 */
export interface AskReady {
  /**
   * the number of the round that is over.
   */
  round: number;
  /**
   * whether it should be the last. The match ends there when everybody who is there would have it so.
   */
  enough?: boolean;
}
