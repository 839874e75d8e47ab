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
  | Played
  | Brought
  | Tables
  | Events
  | Answer
  | Replay
  | Worths
  | Analysis
  | Reviewed
  | Retried
  | Practice
  | NextQuestion
  | Tried
  | Daily
  | DailyDeal
  | DailyEve
  | Why
  | Problem
  | Games
  | GameInfo
  | Catalogue
  | RuleBook
  | Lesson
  | Puzzles
  | Puzzle
  | PuzzleTried
  | AskGuest
  | AskDevice
  | AskBring
  | AskTable
  | AskSeat
  | AskFree
  | AskAction
  | AskReady
  | AskTakeBack
  | AskSay
  | AskRetry
  | AskTry
  | AskPuzzleTry
  | AskDailyCut;

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
   * the day whose [deal of the day](daily.md) is played here, such as `2026-11-24`; null for any other deal.
   */
  day?: string | null;
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
  /**
   * whether something has been taken back: the match counts in no statistics.
   */
  practice?: boolean;
  /**
   * who has won the match, and by how much, in one sentence; null where nobody has.
   */
  result?: Text | null;
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
  shape: string;
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
  accounts: {
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
  /**
   * what the finished round changes in each seat's accounts; empty until then.
   */
  brings?: {
    [k: string]: number;
  }[];
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
   * `play` is an action on the table, all others are about the table itself. `say` is what a person says across it: the text's `said` is one of the catalogue's `stamps` or `phrases`. `take-back` leads back to an earlier view of the round.
   */
  kind: "back" | "end" | "hold" | "lapse" | "leave" | "open" | "play" | "ready" | "rematch" | "round" | "say" | "sit" | "take-back";
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
   * what is counted of matches that the person has brought from a file, without their records.
   */
  brought?: PlayedMatch[];
  /**
   * what comes back to the person as a question.
   */
  mistakes?: ExportedMistake[];
  /**
   * which deals of the day the person has played.
   */
  daily?: ExportedDaily[];
  /**
   * by the days for which the person has cut, the SHA-256 of the cut.
   */
  daily_cuts?: {
    [k: string]: string;
  };
  /**
   * the tables that the person has made or sat at, those that the person has made first.
   */
  matches: ExportedMatch[];
}
/**
 * A match that is over, as far as somebody has played it: the rounds at whose end nobody else held the seat.
 */
export interface PlayedMatch {
  /**
   * its id.
   */
  table: string;
  /**
   * the game's name.
   */
  game: string;
  /**
   * when it ended, in milliseconds since 1970.
   */
  ended_at: number;
  /**
   * whether it was brought from a file. Its cards were played by the rules; who played them nobody can tell.
   */
  imported: boolean;
  /**
   * as in the head; null where it ended in a way that this server does not know.
   */
  why: ("abandoned" | "agreed" | "closed" | "played" | "restored" | "void") | null;
  /**
   * the person's seat.
   */
  seat: number;
  /**
   * who was to play each seat: a bot's name, or null for a person.
   */
  players: (string | null)[];
  /**
   * whether the person came in first, and not everybody did.
   */
  won: boolean;
  /**
   * the numbers of these rounds, from 1.
   */
  rounds: number[];
  /**
   * what each of them brought.
   */
  returns: number[];
  /**
   * how often the person made which yaku in them, by their ids.
   */
  yaku: {
    [k: string]: number;
  };
}
/**
 * A mistake that comes back to a person as a question.
 */
export interface ExportedMistake {
  /**
   * of which match.
   */
  table: string;
  /**
   * of which round there, from 1.
   */
  round: number;
  /**
   * the person's seat.
   */
  seat: number;
  /**
   * its place among the seat's decisions in the round, from 1.
   */
  number: number;
  /**
   * when it is to be asked, in milliseconds since 1970.
   */
  due: number;
  /**
   * how often an answer has been tried.
   */
  tries: number;
  /**
   * as the library that spaces questions has it.
   */
  state: {};
}
/**
 * A person's try at the deal of a day.
 */
export interface ExportedDaily {
  /**
   * at which.
   */
  day: string;
  /**
   * at which.
   */
  game: string;
  /**
   * where it was played.
   */
  table: string;
  /**
   * whether it is over, and counted.
   */
  over: boolean;
  /**
   * what it brought; null where it does not count.
   */
  points: number | null;
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
  /**
   * when it ended, in milliseconds since 1970; null while it is not over.
   */
  ended_at?: number | null;
  /**
   * as in the head.
   */
  why?: ("abandoned" | "agreed" | "closed" | "played" | "restored" | "void") | null;
  /**
   * the seat that the person had at last; null where no round counts for them.
   */
  seat?: number | null;
  /**
   * the rounds that count for the person, from 1: those at whose end nobody else held the seat.
   */
  counted?: number[];
  /**
   * the record of a match that is over, without names; null where there is none. It can be brought to another server.
   */
  record?: {} | null;
}
/**
 * Something that a person has done at a table.
 */
export interface ExportedRow {
  /**
   * `make` for the table, `sit`, `leave`, `back`, `ready`, `play`, `take-back`, `rematch`, `say`.
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
 * What somebody has played.
 */
export interface Played {
  /**
   * what it comes to, by games, those played most first.
   */
  games: GamePlayed[];
  /**
   * some of the matches that are over, those that ended last first.
   */
  matches: PlayedMatch[];
  /**
   * whether there are more after these.
   */
  more: boolean;
  /**
   * whether some matches are not counted yet: ask again.
   */
  counting: boolean;
}
/**
 * What somebody's matches of a game come to.
 */
export interface GamePlayed {
  /**
   * the game's name.
   */
  game: string;
  /**
   * how many matches.
   */
  played: number;
  /**
   * how many of them were brought from a file.
   */
  imported: number;
  /**
   * in how many the person came in first.
   */
  won: number;
  /**
   * how many rounds.
   */
  rounds: number;
  best: BestRound;
  /**
   * those that the person has made.
   */
  yaku: YakuMade[];
}
/**
 * The round that brought most.
 */
export interface BestRound {
  /**
   * of which match.
   */
  table: string;
  /**
   * its number there, from 1.
   */
  round: number;
  /**
   * the person's seat.
   */
  seat: number;
  /**
   * what it brought.
   */
  points: number;
  /**
   * whether the match was brought from a file.
   */
  imported: boolean;
}
/**
 * A yaku that somebody has made.
 */
export interface YakuMade {
  /**
   * of the yaku.
   */
  id: string;
  /**
   * how often.
   */
  times: number;
  /**
   * how often of these in matches that were brought from a file.
   */
  imported: number;
  /**
   * when the first match ended in which it was made, in milliseconds since 1970.
   */
  first_at: number;
}
/**
 * What became of a match that was brought from a file.
 */
export interface Brought {
  /**
   * whether it is new here; not where it was here already.
   */
  added: boolean;
  match: PlayedMatch;
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
  /**
   * whether it can stand for others.
   */
  wild?: boolean;
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
  /**
   * of which kind the best action is: a hint that does not name it yet; null where the server tells none.
   */
  part?: Text | null;
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
 * A review, or how far it is.
 */
export interface Reviewed {
  /**
   * the table's id.
   */
  table: string;
  /**
   * the round's number, from 1.
   */
  round: number;
  /**
   * the seat.
   */
  seat: number;
  /**
   * how many decisions have been judged, others' too.
   */
  done: number;
  /**
   * of how many; 0 while that is not known, and once there is a review.
   */
  total: number;
  /**
   * the review; null while it is being made.
   */
  review: Review | null;
}
/**
 * What a round was for one seat. `deal`, `skill`, `others` and `luck` add up to the result.
 */
export interface Review {
  /**
   * the game's name.
   */
  game: string;
  /**
   * the round's number, from 1.
   */
  round: number;
  /**
   * the seat.
   */
  seat: number;
  /**
   * whose search judged.
   */
  bot: string;
  /**
   * of who judged. A review of another version is another review.
   */
  version: string;
  /**
   * how many rounds were played out for each decision.
   */
  playouts: number;
  /**
   * what the round brought the seat.
   */
  result: number;
  /**
   * how it came out and how it was played, such as `lost-well`.
   */
  verdict: string;
  /**
   * how much was open at the seat's first decision: labels go by it.
   */
  open: number;
  deal: Estimate;
  skill: Estimate;
  others: Estimate;
  luck: Estimate;
  /**
   * the numbers of the moments that teach most.
   */
  first: number[];
  /**
   * its decisions, in order.
   */
  moments: Moment[];
  /**
   * where luck brought most, and where it took most; null where it did little.
   */
  lucky: Luck | null;
  /**
   * where luck brought most, and where it took most; null where it did little.
   */
  unlucky: Luck | null;
}
/**
 * A mean and its 95 % interval; all three are equal where it is exact.
 */
export interface Estimate {
  /**
   * the mean.
   */
  mean: number;
  /**
   * the interval.
   */
  least: number;
  /**
   * the interval.
   */
  most: number;
}
/**
 * A decision of the seat that is reviewed.
 */
export interface Moment {
  /**
   * its place among the seat's decisions, from 1.
   */
  number: number;
  /**
   * how many things the seat had seen happen in the round before it.
   */
  seen: number;
  /**
   * what it could choose from.
   */
  choices: Choice[];
  /**
   * what it did, in notation.
   */
  action: string;
  /**
   * what was worth most for all that it could know.
   */
  best: string;
  value: Estimate;
  cost: Estimate;
  /**
   * why the best is better; none where it is not.
   */
  facts: Text[];
  hindsight: Hindsight;
  /**
   * `fine`, `mistake` or `blunder`, where that is clear.
   */
  label: string;
  /**
   * what others' decisions changed for the seat until its next.
   */
  others: number;
  /**
   * what else changed until then.
   */
  luck: number;
}
/**
 * Something that could be done.
 */
export interface Choice {
  /**
   * in notation.
   */
  action: string;
  text: Text;
}
/**
 * What a decision was worth with all cards open.
 */
export interface Hindsight {
  /**
   * what was worth most, or what was done where nothing was worth more; in notation.
   */
  best: string;
  value: Estimate;
  cost: Estimate;
  /**
   * whether it was worked out to the end.
   */
  exact: boolean;
}
/**
 * A stretch of a round in which luck did much.
 */
export interface Luck {
  /**
   * of the seat's decision after which it did.
   */
  number: number;
  /**
   * what it brought.
   */
  value: number;
  /**
   * how many things the seat had seen happen in the round before it, and after it.
   */
  since: number;
  /**
   * how many things the seat had seen happen in the round before it, and after it.
   */
  until: number;
  /**
   * on which card it hung most, and where that lay; none where no card tells much.
   */
  facts: Text[];
}
/**
 * What comes of a retry.
 */
export interface Retried {
  /**
   * who plays the other seats.
   */
  bot: string;
  /**
   * what has been done since the round was left, the bots' answers at its end.
   */
  line: string;
  /**
   * what the seat has seen happen.
   */
  events: Happening[];
  /**
   * what the round brings the seat; null until it is over.
   */
  result: number | null;
}
/**
 * Something that happens after a right answer, as the learner sees it.
 */
export interface Happening {
  /**
   * who did it; 16 is the driver.
   */
  seat: number;
  /**
   * what was done, in notation; null where the learner may not know it.
   */
  action: string | null;
  text: Text;
  view: View;
}
/**
 * How somebody's practice stands.
 */
export interface Practice {
  /**
   * how many mistakes are to be asked now.
   */
  due: number;
  /**
   * how many there are in all.
   */
  kept: number;
  /**
   * when the next of the others is due, in milliseconds since 1970; null where there is none.
   */
  next: number | null;
  /**
   * how many rounds are still to be looked through for mistakes.
   */
  rounds: number;
  /**
   * how many decisions have been judged of the round that is being reviewed.
   */
  done: number;
  /**
   * of how many; 0 while that is not known, and where none is being reviewed.
   */
  total: number;
}
/**
 * The next question.
 */
export interface NextQuestion {
  /**
   * the one that has been due for longest; null where none is.
   */
  question: Question | null;
}
/**
 * A mistake as a question: what the seat saw then, and nothing of what came of it.
 */
export interface Question {
  /**
   * the table's id.
   */
  table: string;
  /**
   * the game's name.
   */
  game: string;
  /**
   * the round's number, from 1.
   */
  round: number;
  /**
   * the seat of whoever is asked.
   */
  seat: number;
  /**
   * the decision's place among the seat's decisions in the round, from 1.
   */
  number: number;
  /**
   * how often an answer has been tried, ever: it is sent along with the next.
   */
  tries: number;
  /**
   * what can be chosen from.
   */
  choices: Choice[];
  event: Event;
  /**
   * what speaks for the best choice, once the first try was wrong; null before.
   */
  hint: Text[] | null;
}
/**
 * What became of a try. The same try sent again gets the same answer.
 */
export interface Tried {
  /**
   * whether the judge would do that too.
   */
  right: boolean;
  /**
   * whether the question is answered; otherwise there is a second try.
   */
  over: boolean;
  /**
   * how often an answer has been tried, ever.
   */
  tries: number;
  /**
   * what speaks for the best choice.
   */
  hint: Text[];
  /**
   * the decision as it was reviewed; null while the question is not answered.
   */
  moment: Moment | null;
  /**
   * in how many days it comes back; null while the question is not answered.
   */
  days: number | null;
}
/**
 * The deals of the day.
 */
export interface Daily {
  /**
   * today, of the days of UTC.
   */
  day: string;
  /**
   * when it is over, in milliseconds since 1970.
   */
  ends_at: number;
  /**
   * those of today, game by game.
   */
  deals: DailyDeal[];
  tomorrow: DailyEve;
}
/**
 * The deal of a day in one game, which is the same for everybody.
 */
export interface DailyDeal {
  /**
   * the game's name.
   */
  game: string;
  /**
   * the day, of those of UTC.
   */
  day: string;
  /**
   * the SHA-256 of the deal's secret, 64 hexadecimal digits.
   */
  commitment: string;
  /**
   * when it was published, in milliseconds since 1970.
   */
  committed_at: number;
  /**
   * whether that was while people could still cut for the day, so that the server did not know their cuts.
   */
  in_time: boolean;
  /**
   * how many have cut for the day.
   */
  cuts: number;
  /**
   * what their cuts come to, 64 hexadecimal digits: the cut of the first seat, the only one that is given.
   */
  cut: string;
  /**
   * the secret, 64 hexadecimal digits; null until the day is over.
   */
  secret: string | null;
  /**
   * how many tries are over and count.
   */
  tries: number;
  /**
   * your own; null where you have none.
   */
  yours: DailyTry | null;
  /**
   * how many of the others that count brought less than yours; null where yours does not count.
   */
  better: number | null;
  /**
   * what those that count brought, in ascending order; null until yours is over, or the day is.
   */
  spread: DailyPoints[] | null;
}
/**
 * Somebody's try at the deal of a day.
 */
export interface DailyTry {
  /**
   * the table at which it is played.
   */
  table: string;
  /**
   * whether it is over.
   */
  over: boolean;
  /**
   * what it brought; null while it is not over, and where it does not count: something was taken back, it was left, or it ended after the day.
   */
  points: number | null;
}
/**
 * How often a deal of the day brought so much.
 */
export interface DailyPoints {
  /**
   * what the round brought.
   */
  points: number;
  /**
   * to how many.
   */
  times: number;
}
/**
 * The deals of the day to come, as far as they are fixed.
 */
export interface DailyEve {
  /**
   * the day.
   */
  day: string;
  /**
   * until when one can cut for it, in milliseconds since 1970.
   */
  closes_at: number;
  /**
   * to what each game's deal is committed, by the games' names.
   */
  commitments: {
    [k: string]: string;
  };
  /**
   * how many have cut for it so far.
   */
  cuts: number;
  /**
   * the SHA-256 of your cut, 64 hexadecimal digits; null where you have not cut.
   */
  yours: string | null;
}
/**
 * Why a seat may have done something: for all that whoever asks can know; or, when the round is over, from all that is known.
 */
export interface Why {
  /**
   * the table's id.
   */
  table: string;
  /**
   * the round's number, from 1.
   */
  round: number;
  /**
   * who did it.
   */
  seat: number;
  /**
   * of the view of whoever asks.
   */
  version: number;
  text: Text;
  /**
   * what can be said of it: what it made, brought within reach or denied, and how good it was in deals that are possible for all that the asker knows, each as that seat would have seen it there.
   */
  reasons: Text[];
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
   * in the order of their names, side games after all others.
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
   * whether it is a side game, short and mostly of chance: it is listed after the others.
   */
  side: boolean;
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
  /**
   * the ids of those beside a person at the largest table where nobody says who; at a smaller one the first.
   */
  company: string[];
  /**
   * whether there is a lesson of it.
   */
  lesson?: boolean;
  /**
   * how many puzzles there are of it.
   */
  puzzles?: number;
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
   * by table and key, with arguments in braces. There are all tables of the rule book that hold texts, such as `chapters`, `presets`, `prompts`, `words`, `events`, `refusals`, `lines`, `accounts`, `amounts`, `endings` and `zones`, and the server's own: `table` (what happens beside play), `errors`, `bots`, `bots-help`, `values`, `numbers` and `you`.
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
   * the game as it is usually played, in a few paragraphs.
   */
  short: Passage[];
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
 * A paragraph of the short form of a rule book.
 */
export interface Passage {
  /**
   * what it is about.
   */
  title: string;
  /**
   * the paragraph.
   */
  text: string;
  /**
   * those it speaks of, in notation.
   */
  cards: string[];
  /**
   * the clauses that say so too.
   */
  clauses: string[];
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
 * How a game is learned. Everything in it is what one seat may know of positions that are set up by hand.
 */
export interface Lesson {
  /**
   * the game's name.
   */
  game: string;
  /**
   * of the ruleset.
   */
  version: number;
  /**
   * that of the lesson, and of a first match.
   */
  preset: string;
  /**
   * how many play.
   */
  seats: number;
  /**
   * the bot that is the weakest, for a first match.
   */
  opponent: string;
  /**
   * the game in one minute.
   */
  minute: Scene[];
  /**
   * the lesson.
   */
  beats: Beat[];
  /**
   * what every card in play counts.
   */
  cards: {
    [k: string]: Worth;
  };
}
/**
 * One of the sentences that say in one minute what a game is.
 */
export interface Scene {
  /**
   * the sentence.
   */
  says: {
    [k: string]: string;
  };
  /**
   * those it speaks of, in notation.
   */
  cards: string[];
  /**
   * the clauses of the rule book that say so too.
   */
  clauses: string[];
}
/**
 * A step of a lesson.
 */
export interface Beat {
  /**
   * of the beat, within its lesson.
   */
  id: string;
  /**
   * what is told.
   */
  says: {
    [k: string]: string;
  };
  /**
   * what is asked; empty where nothing is.
   */
  asks: {
    [k: string]: string;
  };
  /**
   * `play` for an action, `point` for a card, `count` for a number; `tell` where nothing is asked.
   */
  kind: string;
  /**
   * the cards that are pointed out, in notation.
   */
  glow: string[];
  /**
   * the zones that are pointed out, by their ids.
   */
  places: string[];
  /**
   * the clauses of the rule book that say so too.
   */
  clauses: string[];
  view: View;
  /**
   * all that may be answered.
   */
  answers: LessonAnswer[];
}
/**
 * Something that may be answered.
 */
export interface LessonAnswer {
  /**
   * an action or a card in notation, or a number.
   */
  answer: string;
  /**
   * whether it is what was asked for.
   */
  right: boolean;
  /**
   * what is said of it; empty where nothing is.
   */
  says: {
    [k: string]: string;
  };
  /**
   * what then happens.
   */
  events: Happening[];
}
/**
 * The puzzles of a game.
 */
export interface Puzzles {
  /**
   * the game's name.
   */
  game: string;
  /**
   * the easiest first.
   */
  puzzles: PuzzleHead[];
}
/**
 * A puzzle among those of its game.
 */
export interface PuzzleHead {
  /**
   * of the puzzle.
   */
  id: string;
  /**
   * how hard it is, from 1 to 3.
   */
  level: number;
}
/**
 * A puzzle as a question: what its seat had seen of a round that bots played, and nothing of what it has not.
 */
export interface Puzzle {
  /**
   * the game's name.
   */
  game: string;
  /**
   * of the puzzle.
   */
  id: string;
  /**
   * how hard it is, from 1 to 3.
   */
  level: number;
  /**
   * the seat of whoever is asked.
   */
  seat: number;
  /**
   * who plays; nobody else than whoever is asked sits in their seat.
   */
  seats: Seat[];
  /**
   * what can be chosen from.
   */
  choices: Choice[];
  event: Event;
  /**
   * what every card in play counts.
   */
  cards: {
    [k: string]: Worth;
  };
}
/**
 * What became of a try.
 */
export interface PuzzleTried {
  /**
   * whether it is the answer.
   */
  right: boolean;
  /**
   * whether the puzzle is answered; otherwise there is a second try.
   */
  over: boolean;
  hint: Text;
  /**
   * the answer; null while the puzzle is not answered.
   */
  answer: PuzzleAnswer | null;
}
/**
 * The answer of a puzzle.
 */
export interface PuzzleAnswer {
  /**
   * what is clearly the best, in notation.
   */
  best: string;
  /**
   * what is best at once, and no answer.
   */
  tempts: string;
  /**
   * what the best brings, on average.
   */
  brings: number;
  /**
   * what every other choice costs.
   */
  costs: ChoiceCost[];
  /**
   * why the best is better than what tempts.
   */
  facts: Text[];
  /**
   * in how many worlds that the seat may be in every choice was tried.
   */
  worlds: number;
  /**
   * in how many more it was seen whether another choice is better, with the others' cards lying so.
   */
  deals: number;
  /**
   * in how many of those none is by what is a mistake.
   */
  sure: number;
  /**
   * how many of them were worked out exactly, all cards open.
   */
  solved: number;
  /**
   * in how many of those nothing is better than the best.
   */
  agree: number;
  /**
   * how often each character tried to find it.
   */
  tries: number;
  /**
   * how often each did, by their names, the weakest first.
   */
  finds: {
    [k: string]: number;
  };
  /**
   * whose search judged.
   */
  bot: string;
  /**
   * of who judged.
   */
  version: string;
}
/**
 * What a choice costs.
 */
export interface ChoiceCost {
  /**
   * in notation.
   */
  action: string;
  cost: Estimate;
  /**
   * `mistake` or `blunder`.
   */
  label: string;
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
 * Bring a match from a file: one of the matches of an export that is over, with its record.
 */
export interface AskBring {
  /**
   * its id where it was played.
   */
  table: string;
  /**
   * In milliseconds since 1970.
   */
  ended_at: number;
  /**
   * your seat.
   */
  seat: number;
  /**
   * the rounds that you have played yourself, from 1.
   *
   * @maxItems 1000
   */
  counted: number[];
  /**
   * its record. It is played again and has to be whole, by the rules, and of fair deals.
   */
  record: {};
  /**
   * how it ended.
   */
  why?: ("abandoned" | "agreed" | "closed" | "played" | "restored" | "void") | null;
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
/**
 * Go back to before the last thing that you have chosen in the round, where all others are bots. The same cards come again.
 */
export interface AskTakeBack {
  /**
   * Of the view that the action answers.
   */
  version: number;
}
/**
 * Say something across the table.
 */
export interface AskSay {
  /**
   * Of the view that the action answers.
   */
  version: number;
  /**
   * one of the catalogue's `stamps` or `phrases`.
   */
  said: string;
}
/**
 * Try a finished round otherwise from a moment on: the same cards, bots in the other seats. Nothing of it is kept.
 */
export interface AskRetry {
  /**
   * whoever tries.
   */
  seat: number;
  /**
   * Of the view that the action answers.
   */
  seen: number;
  /**
   * what has been done since, in order, as a record has it: the `line` that was answered last, and what the seat does now.
   */
  line: string;
  /**
   * Of the view that the action answers.
   */
  since: number;
}
/**
 * Answer a question. There are two tries: after a first that is wrong there is a hint.
 */
export interface AskTry {
  /**
   * of the question.
   */
  table: string;
  /**
   * of the question.
   */
  round: number;
  /**
   * of the question.
   */
  number: number;
  /**
   * as in the question.
   */
  tries: number;
  /**
   * what you would do, in notation; null if you do not know.
   */
  action: string | null;
}
/**
 * Answer a puzzle. There are two tries, of more than two choices: after a first that is wrong there is a hint. Nothing is kept.
 */
export interface AskPuzzleTry {
  /**
   * what you would do, in notation; null if you do not know.
   */
  action: string | null;
  /**
   * whether this is the second try.
   */
  second?: boolean;
}
/**
 * Cut for the deals of the day to come. To cut again replaces your cut.
 */
export interface AskDailyCut {
  /**
   * that day, as `Daily` tells it.
   */
  day: string;
  /**
   * A number or text of your own choice that goes into every shuffle, so that nobody can arrange the pack alone.
   */
  cut: string;
}
