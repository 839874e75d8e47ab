import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Queue } from "../src/table/queue";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A queue in which even numbers are looked at for 300 ms, and odd ones are not. */
function make(hurried = false): { queue: Queue<number>; shown: number[][] } {
  const shown: number[][] = [];
  const queue = new Queue<number>(
    (things) => shown.push(things),
    (thing) => (thing % 2 ? 0 : 300),
    () => hurried,
  );
  return { queue, shown };
}

test("the first event is shown at once, each other after the one before", () => {
  const { queue, shown } = make();
  for (const thing of [2, 4, 6]) queue.put(thing);
  expect(shown).toEqual([[2]]);
  vi.advanceTimersByTime(299);
  expect(shown).toEqual([[2]]);
  vi.advanceTimersByTime(1);
  expect(shown).toEqual([[2], [4]]);
  vi.advanceTimersByTime(300);
  expect(shown).toEqual([[2], [4], [6]]);
  expect(queue.busy).toBe(true); // the last is being looked at
  vi.advanceTimersByTime(300);
  expect(shown.at(-1)).toEqual([]);
  expect(queue.busy).toBe(false);
});

test("an event without duration is shown with the next one", () => {
  const { queue, shown } = make();
  for (const thing of [2, 1, 3, 4]) queue.put(thing);
  vi.advanceTimersByTime(300);
  expect(shown).toEqual([[2], [1, 3, 4]]);
});

test("a player who acts waits for nothing", () => {
  const { queue, shown } = make();
  for (const thing of [2, 4, 6]) queue.put(thing);
  queue.jump();
  expect(shown).toEqual([[2], [4, 6]]);
  vi.advanceTimersByTime(1000);
  expect(shown).toHaveLength(2);
  queue.put(8);
  expect(shown.at(-1)).toEqual([8]);
});

test("too many events are shown at once", () => {
  const { queue, shown } = make();
  for (let thing = 0; thing <= 50; thing += 2) queue.put(thing);
  expect(shown.map((things) => things.length)).toEqual([1, 25]);
});

test("nothing is delayed while the page is hidden", () => {
  const { queue, shown } = make(true);
  for (const thing of [2, 4, 6]) queue.put(thing);
  expect(shown).toEqual([[2], [4], [6]]);
});

test("forgotten events are not shown", () => {
  const { queue, shown } = make();
  for (const thing of [2, 4, 6]) queue.put(thing);
  queue.clear();
  vi.advanceTimersByTime(1000);
  expect(shown).toEqual([[2]]);
});
