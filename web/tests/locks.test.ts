import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Locks } from "../src/lib/locks";

/** A channel that all tabs of one browser share; sleeping tabs receive later, crashed ones never. */
class Channel {
  static all = new Set<Channel>();
  onmessage: ((event: { data: unknown }) => void) | null = null;
  tab = Tab.opening;

  constructor() {
    Channel.all.add(this);
  }

  postMessage(data: unknown): void {
    for (const other of Channel.all) if (other !== this) setTimeout(() => other.tab?.hear(() => other.onmessage?.({ data })), 1);
  }

  close(): void {
    Channel.all.delete(this);
    this.onmessage = null;
  }
}

class Tab {
  static opening: Tab | null = null;
  readonly locks = new Locks();
  readonly had: string[] = [];
  asleep = false;
  crashed = false;
  #late: (() => void)[] = [];

  hear(listener: () => void): void {
    if (this.crashed) return;
    if (this.asleep) this.#late.push(listener);
    else listener();
  }

  wake(): void {
    this.asleep = false;
    for (const listener of this.#late.splice(0)) listener();
  }

  /** Ask for a lock. Gives back how to give it up. */
  ask(name: string, steal = false): () => void {
    const leaving = new AbortController();
    Tab.opening = this;
    const held = (): Promise<void> => {
      this.had.push(name);
      return new Promise((resolve) => leaving.signal.addEventListener("abort", () => resolve()));
    };
    const how = steal ? { steal } : { signal: leaving.signal };
    this.locks.request(name, how, held).catch(() => void this.had.push(`lost ${name}`));
    return () => leaving.abort();
  }
}

const pass = (milliseconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds);

beforeEach(() => {
  vi.useFakeTimers();
  Channel.all.clear();
  vi.stubGlobal("BroadcastChannel", Channel);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("a lock between tabs", () => {
  test("belongs to the first tab that requested it, then to the next", async () => {
    const tabs = Array.from({ length: 8 }, () => new Tab());
    const give = [];
    for (const tab of tabs) {
      give.push(tab.ask("lead"));
      await pass(1);
    }
    await pass(20_000);
    expect(tabs.map(({ had }) => had)).toEqual([["lead"], [], [], [], [], [], [], []]);
    give[0]?.();
    await pass(500);
    expect(tabs.map(({ had }) => had.includes("lead"))).toEqual([true, true, false, false, false, false, false, false]);
    give[2]?.(); // who waits may leave too
    give[1]?.();
    await pass(500);
    expect(tabs.map(({ had }) => had.includes("lead"))).toEqual([true, true, false, true, false, false, false, false]);
  });

  test("is free after its tab has crashed", async () => {
    const [one, two] = [new Tab(), new Tab()];
    one.ask("lead");
    await pass(500);
    two.ask("lead");
    await pass(10_000);
    expect(two.had).toEqual([]);
    one.crashed = true;
    await pass(7000);
    expect(two.had).toEqual(["lead"]);
  });

  test("is taken from a sleeping tab, which notices when it wakes", async () => {
    const [one, two] = [new Tab(), new Tab()];
    one.ask("lead");
    await pass(500);
    one.asleep = true;
    two.ask("lead", true);
    await pass(500);
    expect([one.had, two.had]).toEqual([["lead"], ["lead"]]);
    one.wake();
    await pass(500);
    expect([one.had, two.had]).toEqual([["lead", "lost lead"], ["lead"]]);
  });

  test("held by two tabs belongs to the first", async () => {
    const [one, two] = [new Tab(), new Tab()];
    one.ask("lead");
    await pass(500);
    one.asleep = true; // and so it does not answer
    two.ask("lead");
    await pass(500);
    expect(two.had).toEqual(["lead"]);
    one.wake();
    await pass(500);
    expect([one.had, two.had]).toEqual([["lead"], ["lead", "lost lead"]]);
  });

  test("of another name is separate", async () => {
    const [one, two] = [new Tab(), new Tab()];
    one.ask("a");
    two.ask("b");
    await pass(500);
    expect([one.had, two.had]).toEqual([["a"], ["b"]]);
  });

  test("leaves no channel open when it is given up", async () => {
    const tab = new Tab();
    const give = tab.ask("lead");
    await pass(500);
    expect(Channel.all.size).toBe(1);
    give();
    await pass(1);
    expect(Channel.all.size).toBe(0);
  });
});
