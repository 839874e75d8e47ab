import { expect, test } from "vitest";
import { address, keyStep, sameMoment, seatOf, stepOf } from "../src/table/replay";
import type { Event } from "../src/wire";

const event = (seat: number | null, text: string): Event => ({
  table: "t",
  version: 1,
  kind: "play",
  seat,
  action: null,
  text: { id: text },
  head: null,
  view: null,
});

test("an address contains the moment and the viewer", () => {
  expect(address("abc", 2, 1, 11)).toBe("/t/abc/rounds/2?seat=1#12");
  expect(address("abc", 2, null, 0)).toBe("/t/abc/rounds/2#1");
});

test("an address leads to its moment, never beyond the round", () => {
  expect(stepOf("12", 40)).toBe(11);
  expect(stepOf("99", 40)).toBe(39);
  expect(stepOf("0", 40)).toBe(0);
  expect(stepOf("field", 40)).toBe(0);
  expect(seatOf(new URLSearchParams("seat=1"))).toBe(1);
  expect(seatOf(new URLSearchParams("seat=x"))).toBe(null);
});

test("keys step forward and back, and stop at both ends", () => {
  expect(keyStep("ArrowRight", 5, 40)).toBe(6);
  expect(keyStep("ArrowLeft", 0, 40)).toBe(0);
  expect(keyStep("PageDown", 35, 40)).toBe(39);
  expect(keyStep("PageUp", 35, 40)).toBe(25);
  expect(keyStep("End", 5, 40)).toBe(39);
  expect(keyStep("a", 5, 40)).toBe(null);
});

test("a moment is found in the replay of a viewer with fewer or more events", () => {
  const mine = [event(16, "round"), event(0, "vote"), event(1, "vote-hidden"), event(16, "deal"), event(0, "play")];
  const watching = [event(16, "round"), event(16, "deal"), event(0, "play")];
  expect(sameMoment(mine, 3, watching)).toBe(1);
  expect(sameMoment(mine, 2, watching)).toBe(0);
  expect(sameMoment(watching, 2, mine)).toBe(4);
});
