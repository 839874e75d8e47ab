import { describe, expect, test } from "vitest";
import { turnsSince, whole } from "../src/table/again";
import type { Event, Head, Text, View } from "../src/wire";

const DRIVER = 16;
const ME = 0;

let version = 0;

function view(changes: Partial<View> = {}): View {
  return { version, you: ME, waiting: [ME], over: false, result: null, zones: [], ...changes } as View;
}

function happened(kind: Event["kind"], seat: number | null, changes: Partial<Event> = {}): Event {
  version += 1;
  const text: Text = { id: `table.${kind}`, args: {} };
  return { table: "t", version, kind, seat, action: null, text, head: null, view: view(), ...changes };
}

/** Return an event of a seat's action; or of the driver's, for a seat. */
const plays = (seat: number, by = seat): Event => {
  const event = happened("play", by);
  return { ...event, text: { id: `events.e${event.version}`, args: { seat } } };
};
const headed = (bot: string | null): Partial<Event> => ({ head: { seats: [{ seat: ME, bot }] } as unknown as Head });
const hold = (): Event => happened("hold", ME, headed("kiku"));
const back = (): Event => happened("back", ME, headed(null));
const late = (): Event => happened("late", ME, headed("kiku"));
const ends = (): Event =>
  happened("play", DRIVER, { view: view({ over: true, result: { id: "results.won", args: {} } }), text: { id: "events.end" } });

/** Return the seats that played, their bots, and the numbers of sentences. */
const turnsOf = (past: Event[], you: number | null = ME): unknown[] =>
  turnsSince(past, you).map(({ seat, bot, texts }) => [seat, bot, texts.length]);

describe("the events that a player missed", () => {
  test("are the others' actions since the player's last one, turn by turn", () => {
    expect(turnsOf([plays(1), plays(ME), plays(ME, DRIVER), plays(1), plays(1, DRIVER), plays(2)])).toEqual([
      [1, null, 2],
      [2, null, 1],
    ]);
  });

  test("are empty if no other player acted", () => {
    expect(turnsOf([plays(1), plays(ME), plays(ME, DRIVER), happened("say", 1), ends()])).toEqual([]);
  });

  test("include the bot's actions for the player, until the player returned", () => {
    const past = [plays(1), plays(ME), plays(1), hold(), plays(ME), plays(ME, DRIVER), plays(1), back()];
    const missed = [
      [1, null, 1],
      [ME, "kiku", 2],
      [1, null, 1],
    ];
    expect(turnsOf(past)).toEqual(missed);
    expect(turnsOf([...past, plays(ME), plays(1)])).toEqual([[1, null, 1]]);
  });

  test("include the one turn that a bot played at a deadline", () => {
    const past = [plays(ME), plays(1), late(), plays(ME), plays(ME, DRIVER), plays(1)];
    expect(turnsOf(past)).toEqual([
      [1, null, 1],
      [ME, "kiku", 2],
      [1, null, 1],
    ]);
    expect(turnsOf([...past, plays(ME), plays(1)])).toEqual([[1, null, 1]]);
  });

  test("include the bot also if it took the seat before the known events", () => {
    expect(turnsOf([plays(1), plays(ME), happened("ready", 1, headed("kiku")), plays(ME), back()])).toEqual([
      [1, null, 1],
      [ME, "", 1],
      [ME, "kiku", 1],
    ]);
  });

  test("include the ends of rounds", () => {
    expect(turnsOf([plays(ME), hold(), plays(1), ends(), happened("open", null), happened("round", null), plays(1)])).toEqual([
      [1, null, 1],
      [null, null, 1],
      [1, null, 1],
    ]);
  });
});

test("a spectator gets the last turns of the round", () => {
  expect(turnsOf([plays(ME), plays(1), plays(ME), plays(ME, DRIVER), plays(2)], null)).toEqual([
    [1, null, 1],
    [ME, null, 2],
    [2, null, 1],
  ]);
  expect(turnsOf([plays(1), happened("round", null), plays(ME)], null)).toEqual([[ME, null, 1]]);
});

test("it is known whether earlier events must be requested", () => {
  version = 40;
  const past = [plays(1), plays(2)];
  expect(whole(past, ME)).toBe(false);
  expect(whole([...past, plays(ME)], ME)).toBe(true);
  version = 0;
  expect(whole([plays(1)], ME)).toBe(true);
});
