import { describe, expect, it } from "vitest";
import "./stubs";
import type { Voice } from "../src/lib/voice";
import type { Table, View } from "../src/wire";

const { ALONE, askedTogether, seatLooks } = await import("../src/table/seats");

const waiting = (...seats: number[]) => ({ over: false, waiting: seats });

describe("seats that are asked together", () => {
  it("stay together while their number falls", () => {
    const all = askedTogether(ALONE, waiting(0, 1, 3));
    expect(all).toEqual({ asked: [0, 1, 3], left: [0, 1, 3] });
    const two = askedTogether(all, waiting(0, 3));
    expect(two).toEqual({ asked: [0, 1, 3], left: [0, 3] });
    expect(askedTogether(two, waiting(3))).toEqual({ asked: [0, 1, 3], left: [3] });
  });

  it("change once another seat is asked, or the same again", () => {
    const two = askedTogether(askedTogether(ALONE, waiting(0, 1)), waiting(1));
    expect(askedTogether(two, waiting(0))).toEqual({ asked: [0], left: [0] });
    expect(askedTogether(two, waiting(0, 1, 2)).asked).toEqual([0, 1, 2]);
  });

  it("are none while the table itself acts, and when the round is over", () => {
    const two = askedTogether(ALONE, waiting(0, 1));
    expect(askedTogether(two, waiting(16)).asked).toEqual([]);
    expect(askedTogether(two, { over: true, waiting: [0] }).asked).toEqual([]);
    expect(askedTogether(two, null).asked).toEqual([]);
  });
});

describe("a disconnected player", () => {
  const voice = { player: () => "Ben", character: () => null } as unknown as Voice;
  const presence = [{ seat: 1, here: false, bot_at: null }];
  const head = { state: "running", seats: [{ seat: 0 }, { seat: 1, kind: "person" }] };
  const note = (term: object | null): string => {
    const table = { you: 0, head, presence, term } as unknown as Table;
    return seatLooks(table, { over: false, waiting: [0] } as unknown as View, voice, 0)[1]!.note;
  };

  it("is away, but not at a table with days a move", () => {
    expect(note(null)).not.toBe("");
    expect(note({ days: 3 })).toBe("");
  });
});

it("between two rounds each seat shows whether it is waited for", () => {
  const voice = { player: () => "", character: () => null } as unknown as Voice;
  const seats = [{ ready: true }, { ready: false }, { ready: true, enough: true }, { ready: true, kind: "bot", bot: "fox" }].map(
    (one, seat) => ({ seat, kind: "person", bot: null, enough: false, ...one }),
  );
  const notes = (you: number): string[] => {
    const table = { you, head: { state: "running", seats }, presence: [], term: null } as unknown as Table;
    return seatLooks(table, { over: true, waiting: [] } as unknown as View, voice, 0).map(({ note }) => note);
  };
  expect(notes(0)).toEqual(["table.is-ready", "table.not-ready", "table.has-enough", ""]);
  expect(notes(1)[1]).toBe(""); // one knows oneself
});

it("seats of one character have crests that differ", () => {
  const crest = { red: "", ink: "" };
  const voice = { player: () => "", character: () => ({ crest }) } as unknown as Voice;
  const seats = ["fox", "pine", "fox", null, "fox"].map((bot, seat) => ({ seat, bot }));
  const table = { you: null, head: { state: "open", seats }, presence: [], term: null } as unknown as Table;
  expect(seatLooks(table, null, voice, 0).map(({ character }) => character?.crest)).toMatchObject(
    [0, 0, 1, 0, 2].map((nth) => ({ ...crest, nth })),
  );
});
