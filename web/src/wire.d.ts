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
  | TurnNews
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
  | AskDailyCut
  | AskPush;

/**
 * A table as one viewer sees it. It is complete: it replaces all that a client had of the table.
 */
export interface Table {
  /**
   * the table's id in every address. Anyone who has it may watch, and sit down at a free seat.
   */
  id: string;
  /**
   * the game's name.
   */
  game: string;
  /**
   * the version of the ruleset.
   */
  ruleset: number;
  /**
   * the values of the options that differ from the defaults.
   */
  options: {
    [k: string]: string;
  };
  /**
   * the values of the options that differ from the defaults.
   */
  match_options: {
    [k: string]: string;
  };
  /**
   * the largest number of rounds of the match; 0 where it is not known beforehand.
   */
  length: number;
  /**
   * whether it is listed while a seat is free.
   */
  public: boolean;
  /**
   * `order` where people choose a free seat, `lot` where lots are drawn for the seats when all are taken.
   */
  seating: "lot" | "order";
  /**
   * the seat that deals first, where one was named or follows from the former match; null for a lot.
   */
  first_dealer: number | null;
  /**
   * the day whose [deal of the day](daily.md) is played here, such as `2026-11-24`; null for any other deal.
   */
  day?: string | null;
  /**
   * the term of each decision, where it is played turn by turn; null where people play at the same time.
   */
  term?: Term | null;
  /**
   * what the table waits for from you, where it has a term; null for nothing.
   */
  owed?: Owed | null;
  /**
   * the action that you have given in the open window, in notation; nobody else sees it before the window closes. Null for none.
   */
  answer?: string | null;
  /**
   * the number of events of this table that the viewer has got.
   */
  version: number;
  /**
   * the viewer's seat; null for a spectator.
   */
  you: number | null;
  head: Head;
  /**
   * whether the person of each seat is connected; seats without a person are left out.
   */
  presence: Presence[];
  /**
   * the present round; null before the first.
   */
  view: View | null;
  /**
   * the id of the game's entry under whose name it is played; null for the game's own name.
   */
  entry?: string | null;
}
/**
 * The term of a table that is played turn by turn, with days a move. Nobody is absent there.
 */
export interface Term {
  /**
   * how many days each decision may take, from the moment it is asked for.
   */
  days: number;
  /**
   * what happens when the term passes without an answer: a `bot` plays that turn, or the match comes to its `end`.
   */
  late?: "bot" | "end";
  /**
   * whether the club's own chat gets notices of turns, if the server's operator has set one up.
   */
  club?: boolean;
}
/**
 * What a table that is played turn by turn waits for from the viewer.
 */
export interface Owed {
  /**
   * an `action`, an `answer` in an open window, or to be `ready` for the next round.
   */
  what: "action" | "answer" | "ready";
  /**
   * when the term passes, in milliseconds since 1970.
   */
  until: number;
}
/**
 * The public data of a table, except the round and its cards.
 */
export interface Head {
  /**
   * `open` until every seat is taken, then `running`, then `over`.
   */
  state: "open" | "over" | "running";
  /**
   * the reason why it is over; null before. The match was `played` to its end, `agreed` to end after a round, `abandoned` by all people, or is void: it no longer replays (`void`), the server was set back to a backup from before its end (`restored`), the server's operator has closed it (`closed`), the term of a seat has passed (`late`), or a player did not act and all players who waited ended it without a result (`stalled`).
   */
  why: ("abandoned" | "agreed" | "closed" | "late" | "played" | "restored" | "stalled" | "void") | null;
  /**
   * the number of the present round, from 1; 0 while the table is open.
   */
  round: number;
  /**
   * the seats in playing order.
   */
  seats: Seat[];
  /**
   * the SHA-256, in hex, of the secret from which the next round to be opened is dealt.
   */
  commitment: string;
  /**
   * the secret opened last, in hex: that of the last finished round; null before.
   */
  secret: string | null;
  /**
   * each seat's cut; empty while the table is open.
   */
  cuts: string[];
  /**
   * the seats in first place, when the match has been played or its end was agreed; null otherwise.
   */
  winners: number[] | null;
  /**
   * the table of the rematch; null until a player has asked for one.
   */
  rematch: Rematch | null;
  /**
   * the seat of the person who made the table, who may free other seats until the match begins; null for no seat.
   */
  maker?: number | null;
  /**
   * whether an action has been taken back, so that the match counts in no statistics.
   */
  practice?: boolean;
  /**
   * the winner of the match, and the margin, in one sentence; null where there is none.
   */
  result?: Text | null;
  /**
   * the seat whose term has passed, where the match has ended by that; null otherwise.
   */
  late?: number | null;
}
/**
 * A seat at the table.
 */
export interface Seat {
  /**
   * the seat's number, from 0 in playing order.
   */
  seat: number;
  /**
   * whether it is for a person or a bot.
   */
  kind: "bot" | "person";
  /**
   * the person's present name; null where nobody sits here.
   */
  name: string | null;
  /**
   * the id of the bot that plays it, for a bot's seat or while its person is away; null where a person plays.
   */
  bot: string | null;
  /**
   * whether it is ready for the next round.
   */
  ready: boolean;
  /**
   * whether its person wants the finished round to be the last. While a person does, everybody else who plays is asked, and not `ready` until they have answered.
   */
  enough: boolean;
  /**
   * the name of the person of the former match for whom the seat is kept; null where it is not, or is taken.
   */
  kept_for: string | null;
  /**
   * whether that person's account has been deleted. `name` says so in English then, and the catalogue's `table.gone` in its language.
   */
  gone?: boolean;
  /**
   * whether a lot is still to be drawn for it: when every seat is taken, its person may get another seat.
   */
  by_lot?: boolean;
  /**
   * whether its bot plays because the person did not act for a long time, and only until the person acts.
   */
  stalled?: boolean;
  /**
   * whether its person has answered, after this round, that the match should go on.
   */
  plays_on?: boolean;
}
/**
 * The table of a rematch after a finished match.
 */
export interface Rematch {
  /**
   * the id of the new table.
   */
  table: string;
  /**
   * the seat, at the old table, whose person asked for it first.
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
   * its arguments: `seat` is a seat's number, `card` a card, `cards` a list of cards, `yaku` a yaku's id; an argument may be a text itself.
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
   * whether the person has an open stream of the table now.
   */
  here: boolean;
  /**
   * when a bot takes over the seat of an absent person, in milliseconds since 1970; null where none will.
   */
  bot_at: number | null;
  /**
   * from when on the players who wait for this seat may have a bot play for it, in milliseconds since 1970. It is given in the last minute before that, and later; null otherwise.
   */
  stalled_at?: number | null;
  /**
   * whether that time has come.
   */
  stalled?: boolean;
  /**
   * whether the person has asked to end the match without a result, because others do not act.
   */
  ends?: boolean;
}
/**
 * The view of a round: all that one viewer, a seat or a spectator, may know of it.
 */
export interface View {
  /**
   * the game's name.
   */
  game: string;
  /**
   * the number of events of this table that the viewer has got. It is sent back with an action.
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
   * the seats that have to act; 16 is the driver.
   */
  waiting: number[];
  /**
   * when the open window closes and silence counts as an answer, in milliseconds since 1970; null where none is open.
   */
  closes: number | null;
  /**
   * until when the waiting seats, or those not ready for the next round, may take, at a table that is played turn by turn; null elsewhere, and where nobody is asked.
   */
  due?: number | null;
  /**
   * the question that the viewer has to answer; null when it is not the viewer's turn.
   */
  prompt: Text | null;
  /**
   * the shape of the table: `faces`, `ring`, `bank` or `pile`.
   */
  shape: string;
  /**
   * the zones of the table, where cards lie.
   */
  zones: Zone[];
  /**
   * the viewer's legal actions.
   */
  legal: Legal[];
  /**
   * the cards of the viewer's own hand that may not be played now; empty when it is not the viewer's turn.
   */
  refused: Refused[];
  /**
   * the score sheet as it stands, from all that the viewer sees.
   */
  score: Line[];
  /**
   * the yaku within the viewer's reach.
   */
  near: Near[];
  /**
   * amounts in the middle of the table, such as a pot, by the names of their places.
   */
  middle: {
    [k: string]: number;
  };
  /**
   * whether the round is over.
   */
  over: boolean;
  /**
   * how the finished round ended, as an id in the catalogue's table `endings`; null before.
   */
  ending: string | null;
  /**
   * each seat's returns of the finished round; null before.
   */
  returns: number[] | null;
  /**
   * the winner of the finished round, and the reason, in one sentence; null before.
   */
  result?: Text | null;
  /**
   * the dealer of the next round, if there is one; null before the round is over.
   */
  next_dealer: number | null;
  /**
   * for each seat its accounts in the match; a finished round is in them once its secret is opened.
   */
  ledger: {
    [k: string]: number;
  }[];
  /**
   * the accounts that belong to no seat, such as a kitty, with finished rounds as in `ledger`.
   */
  accounts: {
    [k: string]: number;
  };
  /**
   * for each seat the goals that it has reached, and the nearest three of the others, the nearest first.
   */
  goals?: Goal[];
  /**
   * for each seat its running score in the round; null for a seat without one.
   */
  scores?: (Counted | null)[];
  /**
   * for each seat the changes of its accounts by the finished round; empty before.
   */
  brings?: {
    [k: string]: number;
  }[];
  /**
   * what the other waiting seats are asked; null where nobody else is, or the game has no text for it.
   */
  waits?: Text | null;
  /**
   * the sheet of the viewer's decision, such as a call: lines with what it brings now, and lines of 0 points for what changes it later; empty for most decisions.
   */
  decision?: Line[];
  /**
   * for each seat its side; seats of one side are partners. Empty where each seat plays for itself.
   */
  sides?: number[];
}
/**
 * A place on the table.
 */
export interface Zone {
  /**
   * the zone's id; together with `owner` it is unique on the table.
   */
  id: string;
  /**
   * the seat to which it belongs; null for a common zone.
   */
  owner: number | null;
  /**
   * its purpose, such as `hand`, `field` or `stock`.
   */
  kind: string;
  /**
   * how its cards lie, such as `row`; `cloth` is face up under a cloth.
   */
  layout: string;
  /**
   * the cards, in notation; null for a card that the viewer may not see.
   */
  cards: (string | null)[];
  /**
   * the number of cards; null where the viewer may not know it.
   */
  count: number | null;
  /**
   * the amount that is bet on the cards.
   */
  stake?: number;
}
/**
 * A legal action of the viewer.
 */
export interface Legal {
  /**
   * the action as it is sent: a card in notation, or a word.
   */
  action: string;
  text: Text;
  /**
   * the cards that it would capture at once.
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
   * the id of the clause of the rule book that forbids it; empty where the game cites none.
   */
  clause: string;
}
/**
 * A line of the score sheet.
 */
export interface Line {
  /**
   * the seat's number, or the name of an account that belongs to no seat.
   */
  seat: number | string;
  text: Text;
  /**
   * the cards that they are for, in notation.
   */
  cards: string[];
  /**
   * the points.
   */
  points: number;
  /**
   * the id of the clause that gives them; empty where there is none.
   */
  clause: string;
}
/**
 * A yaku within the viewer's reach.
 */
export interface Near {
  /**
   * the yaku's id.
   */
  yaku: string;
  /**
   * the cards of it that the viewer lacks, in notation; empty where it does not depend on certain cards.
   */
  missing: string[];
  /**
   * how many of them it needs.
   */
  steps: number;
}
/**
 * A goal of a seat, such as a yaku, and its progress as far as all can see it.
 */
export interface Goal {
  /**
   * the seat.
   */
  seat: number;
  text: Text;
  /**
   * the points that it brings; null where it wins the round instead.
   */
  value: number | null;
  /**
   * the number of steps to it, such as cards; a client may draw one pip for each.
   */
  needs: number;
  /**
   * the number of steps that are done. The goal is reached when it equals `needs`.
   */
  has: number;
  /**
   * the cards of it that the seat has, in notation.
   */
  made: string[];
  /**
   * the cards that it lacks, in notation; of more than `needs - has`, any so many will do; empty where many would do.
   */
  lacks: string[];
  /**
   * whether it can no longer be reached.
   */
  lost: boolean;
}
/**
 * A seat's running score in a round, which starts at 0.
 */
export interface Counted {
  /**
   * the score so far.
   */
  points: number;
  /**
   * the lowest score with which the seat gains from the round, as it stands; null where there is no fixed one.
   */
  wins_from: number | null;
}
/**
 * One event of a table, as one viewer saw it.
 */
export interface Event {
  /**
   * the table's id.
   */
  table: string;
  /**
   * the viewer's version after it. The versions of one viewer have no gaps.
   */
  version: number;
  /**
   * `play` for an action in the round; all other kinds are about the table itself. `say` is a phrase of a person: the text's `said` is one of the catalogue's `stamps` or `phrases`. `take-back` leads back to an earlier view of the round. `answer` goes to one seat alone: its answer in a window of a table with a term. `late`: a seat's term has passed. `clock`: the server's clock has leapt, and all deadlines have moved with it. `settle`: the match ends, and what was left in an account of no seat has been paid to a seat.
   */
  kind:
    | "answer"
    | "back"
    | "clock"
    | "end"
    | "hold"
    | "lapse"
    | "late"
    | "leave"
    | "open"
    | "play"
    | "ready"
    | "rematch"
    | "round"
    | "say"
    | "settle"
    | "sit"
    | "take-back";
  /**
   * the seat that acted; 16 is the driver, which deals, turns over and settles; null where nobody acted.
   */
  seat: number | null;
  /**
   * the action in notation; null where the viewer has not seen which it was, and for other kinds than `play`.
   */
  action: string | null;
  text: Text;
  /**
   * the table's head after it; null for `play`, which does not change it.
   */
  head: Head | null;
  /**
   * the round after it; null before the first.
   */
  view: View | null;
}
/**
 * A change of who is connected to a table. It is no event, and has no version.
 */
export interface TablePresence {
  /**
   * the table's id.
   */
  table: string;
  /**
   * whether the person of each seat is connected; seats without a person are left out.
   */
  presence: Presence[];
}
/**
 * An announcement of the server's operator to all clients.
 */
export interface Notice {
  /**
   * the announcement by language, `en` and `ja` or one of them; empty where there is none.
   */
  texts: {
    [k: string]: string;
  };
}
/**
 * A guest: a person's account, which needs no sign-up.
 */
export interface Guest {
  /**
   * the person's public id.
   */
  id: string;
  /**
   * the name that others see.
   */
  name: string;
  /**
   * the secret that authenticates you, sent once; null afterwards. Send it as `Authorization: Bearer ...`; a browser has it as a cookie.
   */
  token?: string | null;
}
/**
 * The devices of a person.
 */
export interface Devices {
  /**
   * the devices, oldest first.
   */
  devices: Device[];
}
/**
 * A device of a person, such as a browser, with a token of its own. Times are milliseconds since 1970.
 */
export interface Device {
  /**
   * when it was added.
   */
  made_at: number;
  /**
   * when it last made a request, to within an hour.
   */
  seen_at: number;
  /**
   * whether it is the device that makes this request.
   */
  here: boolean;
}
/**
 * A code that signs you in on another device. It is valid once, for five minutes, and until you ask for another.
 */
export interface Code {
  /**
   * 18 digits.
   */
  code: string;
  /**
   * when it expires, in milliseconds since 1970.
   */
  until: number;
  /**
   * an address of the page with the code after the `#`, which a browser sends to no server.
   */
  link: string;
  /**
   * the link as a QR code: for each row a string of `0` for light and `1` for dark, without the margin of four modules.
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
   * the person's public id.
   */
  id: string;
  /**
   * the name that others see.
   */
  name: string;
  /**
   * when the guest was made, in milliseconds since 1970.
   */
  made_at: number;
  /**
   * the person's devices, without the tokens, of which only hashes are stored.
   */
  devices: Device[];
  /**
   * until when the operator has banned the person, in milliseconds since 1970, even if that time has passed; null for a person who was never banned.
   */
  banned_until: number | null;
  /**
   * the reason of the ban; null for none.
   */
  banned_why: string | null;
  /**
   * the matches that the person has imported from a file, as they are counted, without their records.
   */
  brought?: PlayedMatch[];
  /**
   * the mistakes that the person is asked about in practice.
   */
  mistakes?: ExportedMistake[];
  /**
   * the person's tries at deals of the day.
   */
  daily?: ExportedDaily[];
  /**
   * the SHA-256 of each cut for the deals of a day, by the day.
   */
  daily_cuts?: {
    [k: string]: string;
  };
  /**
   * the devices that get a web push notice when it is the person's turn, without their secrets.
   */
  pushes?: ExportedPush[];
  /**
   * the tables that the person has made, then those at which they have sat.
   */
  matches: ExportedMatch[];
}
/**
 * A finished match of a person. Only rounds count at whose end the person, and no bot, held the seat.
 */
export interface PlayedMatch {
  /**
   * the table's id.
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
   * whether it was imported from a file. Its actions follow the rules, but the server cannot know who chose them.
   */
  imported: boolean;
  /**
   * the reason why it ended, as in `Head.why`; null where this server does not know the reason.
   */
  why: ("abandoned" | "agreed" | "closed" | "late" | "played" | "restored" | "stalled" | "void") | null;
  /**
   * the person's seat.
   */
  seat: number;
  /**
   * for each seat the id of the bot for which it was, or null for a person.
   */
  players: (string | null)[];
  /**
   * whether the person came in first, and not every seat did.
   */
  won: boolean;
  /**
   * the numbers of the rounds that count, from 1.
   */
  rounds: number[];
  /**
   * the returns of the person's seat in each of these rounds.
   */
  returns: number[];
  /**
   * how often the person made each yaku in these rounds, by its id.
   */
  yaku: {
    [k: string]: number;
  };
  /**
   * the seats of the person's partners, where the game has sides.
   */
  partners?: number[];
  /**
   * the calls that the person made in these rounds.
   */
  calls?: CallsMade[];
}
/**
 * A word by which a player goes on for more at the risk of a loss, such as koi-koi, and what came of it.
 */
export interface CallsMade {
  /**
   * the word.
   */
  word: string;
  /**
   * how often the player has said it.
   */
  times: number;
  /**
   * how many of these times were in rounds in which the player gained.
   */
  won: number;
  /**
   * how many were in rounds in which the player lost.
   */
  punished: number;
}
/**
 * A mistake that a person is asked about in practice.
 */
export interface ExportedMistake {
  /**
   * the table's id.
   */
  table: string;
  /**
   * the round's number, from 1.
   */
  round: number;
  /**
   * the person's seat.
   */
  seat: number;
  /**
   * the decision's number among those of the seat in the round, from 1.
   */
  number: number;
  /**
   * when it is due to be asked, in milliseconds since 1970.
   */
  due: number;
  /**
   * the number of answers tried so far.
   */
  tries: number;
  /**
   * the state of the question in the format of the library `fsrs`, which schedules it.
   */
  state: {};
}
/**
 * A person's try at the deal of a day.
 */
export interface ExportedDaily {
  /**
   * the day and the game of the deal.
   */
  day: string;
  /**
   * the day and the game of the deal.
   */
  game: string;
  /**
   * the id of the table at which it was played.
   */
  table: string;
  /**
   * whether it is over, and counted.
   */
  over: boolean;
  /**
   * the returns of the person's seat; null where it does not count.
   */
  points: number | null;
}
/**
 * A device of a person that gets a web push notice when it is their turn.
 */
export interface ExportedPush {
  /**
   * the address at the browser's push service.
   */
  endpoint: string;
  /**
   * the language of its notices.
   */
  lang: string;
}
/**
 * A table that a person has made or sat at.
 */
export interface ExportedMatch {
  /**
   * the table's id. The record of a match that is over is at `/api/tables/TABLE/record`.
   */
  table: string;
  /**
   * the game's name.
   */
  game: string;
  /**
   * as in `Head.state`.
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
   * all rows of the person there, in order.
   */
  rows: ExportedRow[];
  /**
   * when it ended, in milliseconds since 1970; null while it is not over.
   */
  ended_at?: number | null;
  /**
   * the reason why it ended, as in `Head.why`.
   */
  why?: ("abandoned" | "agreed" | "closed" | "late" | "played" | "restored" | "stalled" | "void") | null;
  /**
   * the person's last seat; null where no round counts for them.
   */
  seat?: number | null;
  /**
   * the numbers, from 1, of the rounds that count for the person: those at whose end no bot held the seat.
   */
  counted?: number[];
  /**
   * the record of a match that is over, without names; null where there is none. Another server can import it.
   */
  record?: {} | null;
}
/**
 * A row of a table's log that records what a person did.
 */
export interface ExportedRow {
  /**
   * the kind of row: `make` for the table, `sit`, `leave`, `back`, `ready`, `wish`, `play`, `answer`, `take-back`, `rematch`, `say`.
   */
  kind: string;
  /**
   * when it was written, in milliseconds since 1970.
   */
  at: number;
  /**
   * the seat that it concerns; null for the making of the table.
   */
  seat: number | null;
  /**
   * the row's data, such as a cut, an action, or the options of a table.
   */
  body: {};
}
/**
 * A person's finished matches, with statistics.
 */
export interface Played {
  /**
   * the statistics of each game, the most played first.
   */
  games: GamePlayed[];
  /**
   * one page of the finished matches, the latest first.
   */
  matches: PlayedMatch[];
  /**
   * whether more matches follow after these.
   */
  more: boolean;
  /**
   * whether some matches have not been counted yet; ask again later.
   */
  counting: boolean;
}
/**
 * Statistics of a person's matches of one game.
 */
export interface GamePlayed {
  /**
   * the game's name.
   */
  game: string;
  /**
   * the number of matches.
   */
  played: number;
  /**
   * the number of them that were imported from a file.
   */
  imported: number;
  /**
   * the number of matches in which the person came in first, and not every seat did.
   */
  won: number;
  /**
   * the number of rounds.
   */
  rounds: number;
  best: BestRound;
  /**
   * the yaku that the person has made.
   */
  yaku: YakuMade[];
  /**
   * the ids of the bots that sat at matches that the person has won, in the order of their first defeat.
   */
  beaten?: string[];
  /**
   * the calls that the person has made.
   */
  calls?: CallsMade[];
}
/**
 * A person's round with the highest returns.
 */
export interface BestRound {
  /**
   * the id of its table.
   */
  table: string;
  /**
   * its number in the match, from 1.
   */
  round: number;
  /**
   * the person's seat.
   */
  seat: number;
  /**
   * the returns of that seat.
   */
  points: number;
  /**
   * whether the match was imported from a file.
   */
  imported: boolean;
}
/**
 * A yaku that a person has made.
 */
export interface YakuMade {
  /**
   * the yaku's id.
   */
  id: string;
  /**
   * how often the person has made it.
   */
  times: number;
  /**
   * how many of these times were in matches imported from a file.
   */
  imported: number;
  /**
   * when the first match ended in which it was made, in milliseconds since 1970.
   */
  first_at: number;
}
/**
 * The answer after a match has been imported from a file.
 */
export interface Brought {
  /**
   * whether the match is new here; false where it had been imported or played here already.
   */
  added: boolean;
  match: PlayedMatch;
}
/**
 * The tables that a person can join or go back to.
 */
export interface Tables {
  /**
   * public tables with a free seat: first the tables of connected makers, then the newest, with few of each maker.
   */
  open: Table[];
  /**
   * open and running tables at which you sit: first the tables that wait for you, the most urgent before the others, then the newest.
   */
  yours: Table[];
  /**
   * how many of your tables have not answered in time, and are left out: ask again later.
   */
  unanswered?: number;
}
/**
 * A viewer's events since a version, and the whole table.
 */
export interface Events {
  /**
   * the events in order; empty where there is none, or they are more than 200.
   */
  events: Event[];
  table: Table;
}
/**
 * The answer to an action. The same action sent again gets the same answer.
 */
export interface Answer {
  /**
   * the table's id.
   */
  table: string;
  /**
   * the action that was played, in notation.
   */
  action: string;
  /**
   * your version after it and all that followed at once.
   */
  version: number;
}
/**
 * A finished round as one viewer saw it.
 */
export interface Replay {
  /**
   * the table's id.
   */
  table: string;
  /**
   * the round's number, from 1.
   */
  round: number;
  /**
   * the viewer's seat; null for spectators.
   */
  you: number | null;
  /**
   * the names of the seats' people and bots, in playing order.
   */
  seats: string[];
  /**
   * all events of the round, from the deal to the settlement.
   */
  events: Event[];
}
/**
 * The worth of every card in play under the options of a table. It is the same for all viewers, and never changes.
 */
export interface Worths {
  /**
   * the table's id.
   */
  table: string;
  /**
   * the worth of each card, by its notation.
   */
  cards: {
    [k: string]: Worth;
  };
}
/**
 * The worth of a card.
 */
export interface Worth {
  /**
   * the points of the card by itself; null where the game gives cards no points.
   */
  points: number | null;
  /**
   * the ids of the yaku of which it can be part, in the order of the catalogue.
   */
  yaku: string[];
  /**
   * whether it can stand for other cards.
   */
  wild?: boolean;
}
/**
 * The expected value of each action of a decision, from all that its seat could know.
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
   * the seat that decides.
   */
  seat: number;
  /**
   * the seat's version at the decision.
   */
  version: number;
  /**
   * the legal actions, best first, except actions that only take back a part of a choice.
   */
  actions: Weighed[];
  /**
   * the reasons why the best action is better than the second best.
   */
  facts: Text[];
  /**
   * the kind of the best action, as a hint that does not name it; null where the server sends none.
   */
  part?: Text | null;
}
/**
 * A legal action of a seat, its expected value and its effects.
 */
export interface Weighed {
  /**
   * the action in notation, as it is sent to play it.
   */
  action: string;
  text: Text;
  /**
   * the mean of the seat's returns after it.
   */
  mean: number;
  /**
   * the bounds of the 95 % interval of that mean.
   */
  least: number;
  /**
   * the bounds of the 95 % interval of that mean.
   */
  most: number;
  /**
   * the number of worlds in which it was tried: deals that agree with all that the seat has seen.
   */
  worlds: number;
  /**
   * the number of these worlds in which the seat's returns were above 0.
   */
  won: number;
  /**
   * the cards that it captures at once.
   */
  takes: string[];
  /**
   * the ids of the yaku that the seat makes with it.
   */
  makes: string[];
  /**
   * the ids of the yaku within the seat's reach after it.
   */
  keeps: string[];
  /**
   * the ids of the yaku that were within the seat's reach before it, and are not after it.
   */
  gives_up: string[];
  /**
   * the yaku that were within another seat's reach before it, and are not after it.
   */
  denies: YakuOf[];
  /**
   * the yaku within another seat's reach after it.
   */
  leaves: YakuOf[];
  /**
   * the yaku that seats made until the end of the round, with the number of worlds.
   */
  comes: YakuOf[];
  /**
   * the best reply of the next seat; null where no seat acts next, or none was searched for.
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
   * the yaku's id.
   */
  yaku: string;
  /**
   * the number of worlds in which the seat made it; null where that is not counted.
   */
  worlds: number | null;
}
/**
 * The best reply to an action.
 */
export interface Reply {
  /**
   * the seat that acts next.
   */
  seat: number;
  /**
   * its best action, in notation.
   */
  action: string;
  text: Text;
  /**
   * the number of worlds in which it can do that.
   */
  worlds: number;
  /**
   * the number of worlds in which it has to act.
   */
  of: number;
  /**
   * the mean of its returns with that action.
   */
  mean: number;
}
/**
 * A review, or the progress of its making.
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
   * the number of decisions, of all seats, that have been judged.
   */
  done: number;
  /**
   * the number of all decisions; 0 while it is not known, and once the review is made.
   */
  total: number;
  /**
   * the review; null while it is being made.
   */
  review: Review | null;
  /**
   * whether an earlier version of the judge has made the review, so that it can be made again.
   */
  older?: boolean;
}
/**
 * The review of a round for one seat: its decisions, and what made its result. Values are in the unit of the game's returns. `deal`, `skill`, `others` and `luck` add up to `result`.
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
   * the id of the bot whose search judged the decisions.
   */
  bot: string;
  /**
   * the judge's version; with another one, decisions may be judged differently.
   */
  version: string;
  /**
   * the number of rounds that were played out for each decision.
   */
  playouts: number;
  /**
   * the seat's returns.
   */
  result: number;
  /**
   * how the round ended (`won`, `lost`, `even`) and how it was played: `-well`, `-badly` (a decision was a mistake or a blunder), `-gradually` (small losses cost as much together) or `-idle` (there was no decision), such as `lost-well`.
   */
  verdict: string;
  /**
   * the standard deviation of the seat's returns at its first decision, by whose shares decisions are labelled.
   */
  open: number;
  deal: Estimate;
  skill: Estimate;
  others: Estimate;
  luck: Estimate;
  /**
   * the numbers of the decisions that teach most, at most three.
   */
  first: number[];
  /**
   * its decisions, in order.
   */
  moments: Moment[];
  /**
   * the parts of the round in which luck helped most and harmed most; null where it changed little.
   */
  lucky: Luck | null;
  /**
   * the parts of the round in which luck helped most and harmed most; null where it changed little.
   */
  unlucky: Luck | null;
}
/**
 * A mean in the unit of the game's returns, and its 95 % interval. All three numbers are equal where it is exact.
 */
export interface Estimate {
  /**
   * the mean.
   */
  mean: number;
  /**
   * the bounds of the interval.
   */
  least: number;
  /**
   * the bounds of the interval.
   */
  most: number;
}
/**
 * A decision of the reviewed seat, and how it is judged.
 */
export interface Moment {
  /**
   * its number among the seat's decisions, from 1.
   */
  number: number;
  /**
   * the seat's version in the round at the decision.
   */
  seen: number;
  /**
   * the legal actions.
   */
  choices: Choice[];
  /**
   * the chosen action, in notation.
   */
  action: string;
  /**
   * the best action from all that the seat could know, in notation.
   */
  best: string;
  value: Estimate;
  cost: Estimate;
  /**
   * the reasons why the best action is better than the chosen one. If the chosen one is the best, they are empty, but at the decisions in `first` they say why it is better than the second best.
   */
  facts: Text[];
  hindsight: Hindsight;
  /**
   * `mistake` or `blunder` where it is clearly one, else `fine`.
   */
  label: string;
  /**
   * how much others' decisions changed the seat's expected returns until its next decision.
   */
  others: number;
  /**
   * how much chance and hidden cards changed them until then.
   */
  luck: number;
  /**
   * the choices that are equal to the best by symmetry, in notation: they are right, too.
   */
  equal?: string[];
  /**
   * whether rounds are only won or lost, so that 1 is a round won and -1 one lost.
   */
  wins?: boolean;
  /**
   * at a choice between two words, such as to end the round or to go on: a sentence with the worth of each; else null.
   */
  call?: Text | null;
}
/**
 * A legal action at a decision.
 */
export interface Choice {
  /**
   * the action in notation.
   */
  action: string;
  text: Text;
}
/**
 * A decision judged with all cards open.
 */
export interface Hindsight {
  /**
   * the best action in notation; the chosen one where none is better.
   */
  best: string;
  value: Estimate;
  cost: Estimate;
  /**
   * whether the values are solved exactly rather than estimated.
   */
  exact: boolean;
}
/**
 * A part of a round in which luck changed much.
 */
export interface Luck {
  /**
   * the number of the seat's decision after which it begins.
   */
  number: number;
  /**
   * how much luck changed the seat's expected returns in it.
   */
  value: number;
  /**
   * the seat's versions in the round before and after it.
   */
  since: number;
  /**
   * the seat's versions in the round before and after it.
   */
  until: number;
  /**
   * in reviews of earlier judges, the card on which it depended most and where that card was; else empty.
   */
  facts: Text[];
  /**
   * how much of `value` came with each of the events that the seat saw after `since`, up to `until`; they add up to it.
   */
  parts?: number[];
}
/**
 * The answer to a retry: all that happens until the seat decides again.
 */
export interface Retried {
  /**
   * the id of the bot that plays the other seats.
   */
  bot: string;
  /**
   * all actions since the retry started, with those of the bots at its end.
   */
  line: string;
  /**
   * the events that the seat sees, after `since`.
   */
  events: Happening[];
  /**
   * the seat's returns; null until the round is over.
   */
  result: number | null;
}
/**
 * An action of a round that is played for one reader, as in a lesson or a retry, and the reader's view after it.
 */
export interface Happening {
  /**
   * the seat that acted; 16 is the driver.
   */
  seat: number;
  /**
   * the action in notation; null where the reader has not seen which it was.
   */
  action: string | null;
  text: Text;
  view: View;
}
/**
 * The state of a person's practice.
 */
export interface Practice {
  /**
   * the number of questions that are due now.
   */
  due: number;
  /**
   * the number of all questions.
   */
  kept: number;
  /**
   * when the next question that is not due yet will be, in milliseconds since 1970; null where there is none.
   */
  next: number | null;
  /**
   * the number of rounds that are still to be reviewed for mistakes.
   */
  rounds: number;
  /**
   * the number of decisions that have been judged in the round under review.
   */
  done: number;
  /**
   * the number of all decisions in that round; 0 while it is not known, and where no round is under review.
   */
  total: number;
}
/**
 * The next question of practice.
 */
export interface NextQuestion {
  /**
   * the question that has been due for longest; null where none is due.
   */
  question: Question | null;
}
/**
 * A mistake of a person as a question. It holds only what the seat saw at that decision, and nothing that came later.
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
   * the person's seat.
   */
  seat: number;
  /**
   * the decision's number among those of the seat in the round, from 1.
   */
  number: number;
  /**
   * the number of answers tried so far, ever; it is sent with the next one.
   */
  tries: number;
  /**
   * the choices.
   */
  choices: Choice[];
  event: Event;
  /**
   * empty once the first try was wrong, null before. Earlier versions gave reasons here, which named the best choice.
   */
  hint: Text[] | null;
}
/**
 * The result of a try. The same try sent again gets the same result.
 */
export interface Tried {
  /**
   * whether the choice is the one that the review calls best.
   */
  right: boolean;
  /**
   * whether the question is done; otherwise there is a second try.
   */
  over: boolean;
  /**
   * the number of answers tried so far, ever.
   */
  tries: number;
  /**
   * reasons for the best choice once the question is over, empty before.
   */
  hint: Text[];
  /**
   * the decision as it was reviewed; null while the question is not done.
   */
  moment: Moment | null;
  /**
   * in how many days the question comes back; null while it is not done.
   */
  days: number | null;
}
/**
 * The deals of the day.
 */
export interface Daily {
  /**
   * today, as a day of UTC.
   */
  day: string;
  /**
   * when today is over, in milliseconds since 1970.
   */
  ends_at: number;
  /**
   * today's deals, one for each game.
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
   * the day of UTC, such as `2026-11-24`.
   */
  day: string;
  /**
   * the SHA-256 of the deal's secret, 64 hexadecimal digits.
   */
  commitment: string;
  /**
   * when the commitment was published, in milliseconds since 1970.
   */
  committed_at: number;
  /**
   * whether that was while people could still cut for the day, so that the server did not know all cuts.
   */
  in_time: boolean;
  /**
   * the number of people who have cut for the day.
   */
  cuts: number;
  /**
   * the cut mixed from all of their cuts, 64 hexadecimal digits; it is used as the cut of seat 0.
   */
  cut: string;
  /**
   * the secret, 64 hexadecimal digits; null until the day is over.
   */
  secret: string | null;
  /**
   * the number of tries that are over and count.
   */
  tries: number;
  /**
   * your own try; null where you have none.
   */
  yours: DailyTry | null;
  /**
   * the number of counted tries with fewer points than yours; null where yours does not count.
   */
  better: number | null;
  /**
   * the points of all counted tries, in ascending order; null until your try, or the day, is over.
   */
  spread: DailyPoints[] | null;
}
/**
 * A person's try at a deal of the day.
 */
export interface DailyTry {
  /**
   * the id of the table at which it is played.
   */
  table: string;
  /**
   * whether it is over.
   */
  over: boolean;
  /**
   * the returns of the person's seat; null while it is not over, and where it does not count: an action was taken back, the person left, or it ended after the day.
   */
  points: number | null;
}
/**
 * The number of tries at a deal of the day that ended with the same points.
 */
export interface DailyPoints {
  /**
   * the returns of the person's seat.
   */
  points: number;
  /**
   * the number of tries that ended with them.
   */
  times: number;
}
/**
 * The deals of the next day, as far as they are fixed.
 */
export interface DailyEve {
  /**
   * the day of UTC, such as `2026-11-24`.
   */
  day: string;
  /**
   * until when people can cut for it, in milliseconds since 1970.
   */
  closes_at: number;
  /**
   * the commitment of each game's deal, by the game's name.
   */
  commitments: {
    [k: string]: string;
  };
  /**
   * the number of people who have cut for it so far.
   */
  cuts: number;
  /**
   * the SHA-256 of your cut, 64 hexadecimal digits; null where you have not cut.
   */
  yours: string | null;
}
/**
 * An explanation of a seat's move: from all that the viewer who asks can know, or from all cards when the round is over.
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
   * the seat that moved.
   */
  seat: number;
  /**
   * the version of the viewer who asks.
   */
  version: number;
  text: Text;
  /**
   * the reasons: the yaku that it made, brought within reach or denied, and how good it was in deals that agree with all that the viewer has seen, each judged by what that seat would have seen in it.
   */
  reasons: Text[];
}
/**
 * How people can be notified of their turn at tables that are played turn by turn.
 */
export interface TurnNews {
  /**
   * the server's public key for web push, in base64 for addresses; null where the server tells nobody by web push.
   */
  key: string | null;
  /**
   * whether the server can tell a club's own chat.
   */
  club: boolean;
  /**
   * whether this device gets web push notices.
   */
  here: boolean;
}
/**
 * An error: the reason why a request was refused.
 */
export interface Problem {
  /**
   * the error's key in the catalogue's table `errors`; or `illegal` where the rules forbid an action.
   */
  error: string;
  /**
   * a sentence in English.
   */
  message: string;
  text: Text;
  /**
   * the id of the clause of the rule book that forbids the action; null where there is none.
   */
  clause?: string | null;
}
/**
 * All games and bots of a server.
 */
export interface Games {
  /**
   * the languages of the catalogues and rule books.
   */
  languages: string[];
  /**
   * the bots that play every game: the built-in ones for study, and the bots of other packages.
   */
  bots: BotInfo[];
  /**
   * the games in the order of their names, side games after all others.
   */
  games: GameInfo[];
  /**
   * the server's public address, before the path of a link; null where it is the address of the request.
   */
  public_url?: string | null;
  /**
   * finished variants of these games under their own names. Each is a game with other options or other cards: its id stands for a game's in requests for the game, its texts, its rule book and its lesson, and in `AskTable.game`.
   */
  entries?: GameInfo[];
}
/**
 * A bot that may be given a seat.
 */
export interface BotInfo {
  /**
   * the bot's id, as it is sent to give it a seat.
   */
  id: string;
  /**
   * the bot's name.
   */
  name: {
    [k: string]: string;
  };
  /**
   * how it plays; for a character its temper and its habit in the game.
   */
  help: {
    [k: string]: string;
  };
  /**
   * a character's rank by strength in the game, from 1 for the weakest; null for bots that are not ranked.
   */
  level?: number | null;
  /**
   * a character's emblem; null for a bot that is there to be studied or comes from another package.
   */
  crest?: Crest | null;
}
/**
 * A drawing in two colours, within a square of 48 units, as SVG path data.
 */
export interface Crest {
  /**
   * the path that is filled with the colour of the text, by the rule `evenodd`.
   */
  ink: string;
  /**
   * the path beneath it that is filled with red, by the same rule.
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
   * the version of the ruleset.
   */
  version: number;
  /**
   * the game's name for people, in every language.
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
   * the shape of its table: `faces`, `ring`, `bank` or `pile`.
   */
  shape: string;
  /**
   * whether it is a side game, short and mostly of chance, which is listed after the others.
   */
  side: boolean;
  /**
   * how hard it is for beginners, from 1 to 3; 0 where the game does not say.
   */
  hard: number;
  /**
   * the approximate length of a round, in minutes; 0 where the game does not say.
   */
  minutes: number;
  /**
   * named sets of options; the first is the default.
   */
  presets: Preset[];
  /**
   * the options of a round.
   */
  options: Option[];
  /**
   * the options of a match, such as its length.
   */
  match_options: Option[];
  /**
   * the sets of card names; the first is the default.
   */
  packs: Pack[];
  /**
   * the card that represents the game, in notation.
   */
  face: string;
  /**
   * the bots that do not play every game: its characters, the weakest first, then bots of other packages.
   */
  bots: BotInfo[];
  /**
   * the id of the bot that plays a seat by default.
   */
  usual: string;
  /**
   * the ids of the bots that a newcomer meets at the largest table; a smaller table has the first of them.
   */
  company: string[];
  /**
   * whether it has a lesson.
   */
  lesson?: boolean;
  /**
   * whether its lesson begins on the first page, for newcomers.
   */
  welcome?: boolean;
  /**
   * three cards that picture it, `face` first.
   */
  art?: string[];
  /**
   * the id of the preset for a first match.
   */
  first?: string;
  /**
   * the number of its puzzles.
   */
  puzzles?: number;
  /**
   * for an entry, the id of the game that is played; null for a game.
   */
  of?: string | null;
  /**
   * other names and spellings by which people look for it.
   */
  also?: string[];
  /**
   * whether people look for it by name, so that it is listed first among games for as many players.
   */
  door?: boolean;
}
/**
 * A named set of options, of a round and of a match.
 */
export interface Preset {
  /**
   * the preset's id.
   */
  id: string;
  /**
   * the values of the options that differ from the defaults.
   */
  options: {
    [k: string]: string;
  };
  /**
   * the values of the options that differ from the defaults.
   */
  match_options: {
    [k: string]: string;
  };
  /**
   * a description of the preset.
   */
  text: {
    [k: string]: string;
  };
  /**
   * a short name of the preset, which stands before the options that a table has changed.
   */
  name: {
    [k: string]: string;
  };
}
/**
 * An option of a game, or of a match of it. Its values are strings, here and in requests.
 */
export interface Option {
  /**
   * the option's name.
   */
  name: string;
  /**
   * the default value.
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
   * for a number within a range the common values, and words that may stand in its place, such as `circuit`.
   */
  offered: string[];
  /**
   * the present word for each word that older records and addresses used.
   */
  older: {
    [k: string]: string;
  };
  /**
   * the option's title.
   */
  title: {
    [k: string]: string;
  };
  /**
   * a description of the choice, with the sources of each value.
   */
  help: {
    [k: string]: string;
  };
  /**
   * the name of each value; a number has none.
   */
  value_texts: {
    [k: string]: {
      [k: string]: string;
    };
  };
  /**
   * the ids of the clauses of the rule book that it changes, where the sources are.
   */
  clauses: string[];
}
/**
 * A set of card names that a game can be shown with.
 */
export interface Pack {
  /**
   * the set's id, as in `Catalogue.names`.
   */
  id: string;
  /**
   * the set's title.
   */
  title: {
    [k: string]: string;
  };
  /**
   * the name of the drawn pack whose pictures the cards have.
   */
  drawn: string;
  /**
   * the address of an SVG sprite with the pictures, which changes when they do. Its symbols are the cards by their notation (`#7I`), `#back`, and marks for the corners, `#latin-7I` and `#kanji-7I`.
   */
  sprite: string;
  /**
   * the address of a sprite in which the cards of `GameInfo.art` look the same, and which other games may use too.
   */
  art: string;
}
/**
 * Every text that can come up at a table of a game, in one language. docs/view.md says how texts are rendered.
 */
export interface Catalogue {
  /**
   * the game's name.
   */
  game: string;
  /**
   * the version of the ruleset.
   */
  version: number;
  /**
   * the language.
   */
  lang: string;
  /**
   * the game's name in that language.
   */
  name: string;
  /**
   * one line about it.
   */
  summary: string;
  /**
   * the texts by table and key, with arguments in braces: all tables of the rule book that hold texts, such as `chapters`, `presets`, `prompts`, `words`, `events`, `refusals`, `lines`, `accounts`, `amounts`, `endings` and `zones`, and the server's own: `table` (events beside play), `errors`, `bots`, `bots-help`, `values`, `numbers`, `you`, `stamps`, `stamp-signs` (the signs on the stamps) and `phrases`.
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
   * the text of every clause, by its id.
   */
  clauses: {
    [k: string]: string;
  };
  /**
   * the yaku, by their ids.
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
   * groups of captured cards, in the order in which they are shown; empty where the game has none.
   */
  groups?: Group[];
  /**
   * whether the cards' numbers matter in the game, so that they are shown beside the picture.
   */
  numbers?: boolean;
  /**
   * the account among `texts.accounts` in which a round is counted; null where the game has no accounts.
   */
  unit?: string | null;
  /**
   * the accounts whose amounts lie on the table as stones or chips, and so are drawn.
   */
  stones?: string[];
  /**
   * the words whose meaning is shown before they are chosen, in `texts.meanings`; each with yaku as examples.
   */
  meanings?: {
    [k: string]: string[];
  };
}
/**
 * A yaku, in one language.
 */
export interface Yaku {
  /**
   * the yaku's id.
   */
  id: string;
  /**
   * the yaku's name.
   */
  name: string;
  /**
   * the reading of its Japanese name, in kana.
   */
  kana: string;
  /**
   * the same reading in Latin letters.
   */
  reading: string;
  /**
   * the cards that make it, in notation.
   */
  cards: string[];
  /**
   * the id of the clause that defines it; empty where there is none.
   */
  clause: string;
}
/**
 * A set of card names, in one language.
 */
export interface CardNames {
  /**
   * the set's title.
   */
  title: string;
  /**
   * the traditional name of every card, by its notation.
   */
  cards: {
    [k: string]: string;
  };
  /**
   * likewise its number and suit ("8 of swords"); empty for cards that show none, such as flowers.
   */
  plain: {
    [k: string]: string;
  };
  /**
   * the reading of every card's Japanese name in kana, in all languages: the name itself where it has no kanji.
   */
  kana: {
    [k: string]: string;
  };
  /**
   * the same reading in Latin letters.
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
   * the group's id, whose text is in the catalogue's table `groups`.
   */
  id: string;
  /**
   * the cards of the group, in notation.
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
   * the version of the ruleset.
   */
  version: number;
  /**
   * the language.
   */
  lang: string;
  /**
   * the game's name in that language.
   */
  name: string;
  /**
   * one line about it.
   */
  summary: string;
  /**
   * a note on how certain the sources say that their rules are; empty where they do not say.
   */
  warning: string;
  /**
   * the citations for that note.
   */
  warned_by: SourceRow[];
  /**
   * the game as it is usually played, in a few paragraphs.
   */
  short: Passage[];
  /**
   * the chapters, in the order of play.
   */
  chapters: Chapter[];
  /**
   * the yaku, in the order of the game's scoring table.
   */
  yaku: Yaku[];
  /**
   * the works from which the rules come, by their keys.
   */
  works: {
    [k: string]: Work;
  };
  /**
   * the worth of every card with the default options, by its notation, in the order of the cards.
   */
  worths?: {
    [k: string]: Worth;
  };
  /**
   * the text that says what a card counts; empty where the game has none.
   */
  counts?: string;
  /**
   * the name of each number that has one, such as a flower, by the id of a set of card names and the number.
   */
  numbers?: {
    [k: string]: {
      [k: string]: string;
    };
  };
  /**
   * what option values and presets change, a sentence for each bot that played, by `option=value` or `preset name`; by `how`, a sentence about how it was measured.
   */
  measured?: {
    [k: string]: string[];
  };
}
/**
 * A citation of one sentence of a work.
 */
export interface SourceRow {
  /**
   * the key of the work in `RuleBook.works`.
   */
  work: string;
  /**
   * the work's title.
   */
  title: string;
  /**
   * the heading under which the sentence is.
   */
  place: string;
  /**
   * the number of the sentence in the work's text, from 1; null where the text has not been read.
   */
  ordinal: number | null;
  /**
   * the sentence in our words, and which of its parts are lost.
   */
  says: string;
  /**
   * the work that reports it, where the text has not been read; else empty.
   */
  second_hand: string;
}
/**
 * A paragraph of the short form of a rule book.
 */
export interface Passage {
  /**
   * its heading.
   */
  title: string;
  /**
   * the paragraph.
   */
  text: string;
  /**
   * the cards that it mentions, in notation.
   */
  cards: string[];
  /**
   * the ids of the clauses that state the same.
   */
  clauses: string[];
}
/**
 * A run of clauses under one heading.
 */
export interface Chapter {
  /**
   * the chapter's id. A chapter that is continued later in the book is listed again with the same id.
   */
  id: string;
  /**
   * its heading.
   */
  title: string;
  /**
   * its clauses, in the order of play.
   */
  clauses: ClauseText[];
}
/**
 * A sentence of the rule book, in one language.
 */
export interface ClauseText {
  /**
   * the clause's id.
   */
  id: string;
  /**
   * the sentence, as it holds with the default options.
   */
  text: string;
  /**
   * `attested`, `inferred`, `reconstructed` or `house`.
   */
  status: string;
  /**
   * the argument for it, where no source has it; else empty.
   */
  why: string;
  /**
   * the names of the options that change it.
   */
  options: string[];
  /**
   * the citations that support it.
   */
  sources: SourceRow[];
  /**
   * its worked examples.
   */
  examples: ExampleText[];
  /**
   * the cards that it mentions, in notation.
   */
  cards?: string[];
}
/**
 * A worked example of a clause: a position, the actions that are played, and the result.
 */
export interface ExampleText {
  /**
   * the values of the options that differ from the defaults.
   */
  options: {
    [k: string]: string;
  };
  /**
   * the position it starts from, as text.
   */
  position: string;
  /**
   * the actions, separated by spaces; `seat:action` where the seat must be named.
   */
  action: string;
  /**
   * the parts of the position after them that matter; else empty.
   */
  result: string;
  /**
   * the returns of the finished round, for each seat; null where the example does not say.
   */
  returns: number[] | null;
  /**
   * the dealer after the finished round; null where the example does not say.
   */
  next_dealer: number | null;
  /**
   * the ids of clauses on the score sheet.
   */
  sheet: string[];
  /**
   * the id of the clause that forbids the last action, in place of all these; else empty.
   */
  refused: string;
  /**
   * the zones of the table before the actions. All cards are seen except the cards still to be shuffled, and the stock is in the order in which it is drawn. Cards that the position does not name and empty zones are left out.
   */
  before: Zone[];
  /**
   * the zones after the actions and the driver's actions that follow; empty where the last action is refused. Cards that have been shuffled are as spectators see them.
   */
  after: Zone[];
}
/**
 * A source of rules, such as a book or a page, as it names itself.
 */
export interface Work {
  /**
   * its title, its author, and where it is found.
   */
  title: string;
  /**
   * its title, its author, and where it is found.
   */
  author: string;
  /**
   * its title, its author, and where it is found.
   */
  place: string;
  /**
   * its revision, date or edition.
   */
  revision: string;
  /**
   * the licence of its text.
   */
  licence: string;
}
/**
 * The lesson of a game. It holds only what one seat may know, of positions that are set up by hand.
 */
export interface Lesson {
  /**
   * the game's name.
   */
  game: string;
  /**
   * the version of the ruleset.
   */
  version: number;
  /**
   * the preset of the lesson, and of a first match after it.
   */
  preset: string;
  /**
   * the number of seats in the lesson.
   */
  seats: number;
  /**
   * the id of the weakest bot, for a first match.
   */
  opponent: string;
  /**
   * the introduction to the game, of one minute.
   */
  minute: Scene[];
  /**
   * the steps of the lesson, in order.
   */
  beats: Beat[];
  /**
   * the worth of every card in play, by its notation.
   */
  cards: {
    [k: string]: Worth;
  };
  /**
   * how the first page begins with the first beat; null where it does not.
   */
  welcome?: Welcome | null;
}
/**
 * One sentence of the introduction to a game.
 */
export interface Scene {
  /**
   * the sentence.
   */
  says: {
    [k: string]: string;
  };
  /**
   * the cards that it mentions, in notation.
   */
  cards: string[];
  /**
   * the ids of the clauses of the rule book that state the same.
   */
  clauses: string[];
}
/**
 * A step of a lesson.
 */
export interface Beat {
  /**
   * the beat's id, within its lesson.
   */
  id: string;
  /**
   * the explanation.
   */
  says: {
    [k: string]: string;
  };
  /**
   * the question; empty where there is none.
   */
  asks: {
    [k: string]: string;
  };
  /**
   * the kind of answer: `play` for an action, `point` for a card, `count` for a number; `tell` where nothing is asked.
   */
  kind: string;
  /**
   * the cards that are highlighted, in notation.
   */
  glow: string[];
  /**
   * the ids of the zones that are highlighted.
   */
  places: string[];
  /**
   * the ids of the clauses of the rule book that state the same.
   */
  clauses: string[];
  view: View;
  /**
   * all possible answers.
   */
  answers: LessonAnswer[];
}
/**
 * A possible answer to a beat's question.
 */
export interface LessonAnswer {
  /**
   * an action or a card in notation, or a number.
   */
  answer: string;
  /**
   * whether the answer is right.
   */
  right: boolean;
  /**
   * the comment on it; empty where there is none.
   */
  says: {
    [k: string]: string;
  };
  /**
   * the actions that follow it in the round.
   */
  events: Happening[];
}
/**
 * How the first page puts the first beat of a lesson before a newcomer.
 */
export interface Welcome {
  /**
   * the line below its question.
   */
  says: {
    [k: string]: string;
  };
  /**
   * the id of the beat at which the lesson goes on after it.
   */
  next: string;
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
   * the puzzles, the easiest first.
   */
  puzzles: PuzzleHead[];
}
/**
 * An entry in a game's list of puzzles.
 */
export interface PuzzleHead {
  /**
   * the puzzle's id.
   */
  id: string;
  /**
   * the difficulty, from 1 to 3.
   */
  level: number;
}
/**
 * A puzzle as a question: a decision in a round that bots played, with only what its seat had seen.
 */
export interface Puzzle {
  /**
   * the game's name.
   */
  game: string;
  /**
   * the puzzle's id.
   */
  id: string;
  /**
   * the difficulty, from 1 to 3.
   */
  level: number;
  /**
   * the reader's seat.
   */
  seat: number;
  /**
   * the seats: the reader's is that of a person, the others are those of the bots that played the round.
   */
  seats: Seat[];
  /**
   * the choices.
   */
  choices: Choice[];
  event: Event;
  /**
   * the worth of every card in play, by its notation.
   */
  cards: {
    [k: string]: Worth;
  };
}
/**
 * The result of a try at a puzzle.
 */
export interface PuzzleTried {
  /**
   * whether the choice is the best one.
   */
  right: boolean;
  /**
   * whether the puzzle is done; otherwise there is a second try.
   */
  over: boolean;
  hint: Text;
  /**
   * the answer; null while the puzzle is not done.
   */
  answer: PuzzleAnswer | null;
}
/**
 * The answer of a puzzle.
 */
export interface PuzzleAnswer {
  /**
   * the best choice, in notation.
   */
  best: string;
  /**
   * the choice that brings most at once, in notation; in some puzzles it is the best.
   */
  tempts: string;
  /**
   * the mean of the seat's returns after the best choice.
   */
  brings: number;
  /**
   * all other choices, and how much worse each is.
   */
  costs: ChoiceCost[];
  /**
   * the reasons why the best choice is better than the tempting one, or than the second best if it tempts itself.
   */
  facts: Text[];
  /**
   * the number of worlds, which agree with all that the seat has seen, in which every choice was tried.
   */
  worlds: number;
  /**
   * the number of further deals of the hidden cards in which the choices were compared.
   */
  deals: number;
  /**
   * the number of these deals in which no other choice is better by as much as a mistake costs.
   */
  sure: number;
  /**
   * the number of these deals that were solved exactly, with all cards open.
   */
  solved: number;
  /**
   * the number of solved deals in which no choice is better than the best.
   */
  agree: number;
  /**
   * how often each character tried to solve the puzzle.
   */
  tries: number;
  /**
   * how often each character found the best choice, by the character's id, the weakest first.
   */
  finds: {
    [k: string]: number;
  };
  /**
   * the id of the bot whose search judged the choices.
   */
  bot: string;
  /**
   * the judge's version.
   */
  version: string;
}
/**
 * A wrong choice, and how much worse it is than the best.
 */
export interface ChoiceCost {
  /**
   * the choice, in notation.
   */
  action: string;
  cost: Estimate;
  /**
   * `mistake` or `blunder`.
   */
  label: string;
}
/**
 * A request to become a guest, or to change the guest's name.
 */
export interface AskGuest {
  /**
   * the wanted name; null for one that the server chooses, or for no change.
   */
  name?: string | null;
}
/**
 * A request to sign this device in as the person who is signed in on another.
 */
export interface AskDevice {
  /**
   * the code that the other device shows. Blanks and hyphens in it are ignored.
   */
  code: string;
  /**
   * whether the guest of this device may be given up. Without it, a device that has a guest is refused.
   */
  replace?: boolean;
}
/**
 * A request to import a match from a file: a finished match of an export, with its record.
 */
export interface AskBring {
  /**
   * the table's id where it was played.
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
   * the numbers, from 1, of the rounds that count for you.
   *
   * @maxItems 1000
   */
  counted: number[];
  /**
   * its record. It is replayed, and has to be complete, legal, and of fair deals.
   */
  record: {};
  /**
   * the reason why it ended, as in `Head.why`.
   */
  why?: ("abandoned" | "agreed" | "closed" | "late" | "played" | "restored" | "stalled" | "void") | null;
}
/**
 * A request to make a table.
 */
export interface AskTable {
  /**
   * the game's name, or that of an entry, whose options then take precedence over the preset's.
   */
  game: string;
  /**
   * a named set of options, of a round and of a match.
   */
  preset?: string;
  /**
   * options as strings; they take precedence over the preset.
   */
  options?: {
    [k: string]: string;
  };
  /**
   * options as strings; they take precedence over the preset.
   */
  match_options?: {
    [k: string]: string;
  };
  /**
   * for each seat `person` or a bot's id; null for one person against bots.
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
   * whether to list it while a seat is free. Otherwise only people who have its address find it.
   */
  public?: boolean;
  /**
   * `lot` if lots are to be drawn for all seats, those of bots too, when all are taken; then the order of `seats` is ignored.
   */
  seating?: "lot" | "order";
  /**
   * the seat that deals first; null to draw a lot for it. With the seating `lot`, it is drawn like the others.
   */
  first_dealer?: number | null;
  /**
   * the term of each decision, to play turn by turn; at least two seats must be for people then. Null to play at once.
   */
  term?: AskTerm | null;
}
/**
 * The wish to play turn by turn, with days a move.
 */
export interface AskTerm {
  /**
   * how many days each decision may take.
   */
  days: number;
  /**
   * what happens when that time passes: a `bot` plays the turn, or the match comes to its `end`.
   */
  late?: "bot" | "end";
  /**
   * whether the club's own chat gets notices of turns, if the server's operator has set one up.
   */
  club?: boolean;
}
/**
 * A request to sit down at a table.
 */
export interface AskSeat {
  /**
   * the seat's number; null for the first free one. It must be null where lots are drawn for the seats.
   */
  seat?: number | null;
  /**
   * A number or text of at most 64 characters, of your own choice, that goes into every shuffle, so that nobody can arrange the pack alone.
   */
  cut?: string;
}
/**
 * A request to free another person's seat, at a table that you made and that waits for players.
 */
export interface AskFree {
  /**
   * the seat's number.
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
 * A request to play an action.
 */
export interface AskAction {
  /**
   * Of the view that the action answers.
   */
  version: number;
  /**
   * the `action` of one of that view's `legal`.
   */
  action: string;
}
/**
 * A request to go on after a finished round.
 */
export interface AskReady {
  /**
   * the number of the finished round, from 1.
   */
  round: number;
  /**
   * whether it should be the last one. The match ends after it when all people who play want that, and no round begins while one of them has not answered. `false` answers that you would play on, which withdraws every such wish, your own too. Null is no answer.
   */
  enough?: boolean | null;
}
/**
 * A request to go back to before your last choice in the round, where all others are bots. The same cards come again.
 */
export interface AskTakeBack {
  /**
   * Of the view that the action answers.
   */
  version: number;
}
/**
 * A request to say a stamp or a phrase to the table.
 */
export interface AskSay {
  /**
   * Of the view that the action answers.
   */
  version: number;
  /**
   * the id of one of the catalogue's `stamps` or `phrases`.
   */
  said: string;
}
/**
 * A request to play a finished round on differently from a decision, with the same cards and bots in the other seats. The server stores nothing of it.
 */
export interface AskRetry {
  /**
   * the seat that retries.
   */
  seat: number;
  /**
   * Of the view that the action answers.
   */
  seen: number;
  /**
   * the actions since then in order, as in a record: the `line` of the last answer, and the seat's new action.
   */
  line: string;
  /**
   * Of the view that the action answers.
   */
  since: number;
}
/**
 * A request to answer a question. There are two tries.
 */
export interface AskTry {
  /**
   * as in the question.
   */
  table: string;
  /**
   * as in the question.
   */
  round: number;
  /**
   * as in the question.
   */
  number: number;
  /**
   * as in the question.
   */
  tries: number;
  /**
   * your choice, in notation; null if you do not know.
   */
  action: string | null;
}
/**
 * A request to answer a puzzle. With three choices or more, there is a hint and a second try after a wrong first one. The server stores nothing of it.
 */
export interface AskPuzzleTry {
  /**
   * your choice, in notation; null if you do not know.
   */
  action: string | null;
  /**
   * whether this is the second try.
   */
  second?: boolean;
}
/**
 * A request to cut for the deals of the next day. Another cut replaces yours.
 */
export interface AskDailyCut {
  /**
   * that day, as in `Daily.tomorrow`.
   */
  day: string;
  /**
   * A number or text of at most 64 characters, of your own choice, that goes into every shuffle, so that nobody can arrange the pack alone.
   */
  cut: string;
}
/**
 * A request for web push notices on this device, with its browser's subscription.
 */
export interface AskPush {
  /**
   * the address at the browser's push service. Only https addresses of push services that the server knows are taken.
   */
  endpoint: string;
  /**
   * the public key of the subscription, in base64 for addresses.
   */
  p256dh: string;
  /**
   * the secret of the subscription, in base64 for addresses.
   */
  auth: string;
  /**
   * the language of its notices.
   */
  lang?: "en" | "ja";
}
