import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Ears, Message } from "../src/lib/streamline";
import { Share, type Ground, type Standing } from "../src/lib/streamshare";
import { stale } from "../src/lib/version.svelte";

interface Request {
  name: string;
  run: () => unknown;
  tab: Tab;
  signal: AbortSignal | undefined;
  done: (error?: Error) => void;
}

/** A browser: its locks and the channel between its tabs, as far as the stream needs them. */
class Browser {
  readonly tabs: Tab[] = [];
  readonly #held = new Map<string, Request>();
  #waiting: Request[] = [];

  open(): Tab {
    const tab = new Tab(this);
    this.tabs.push(tab);
    return tab;
  }

  request(tab: Tab, name: string, how: { steal?: boolean; signal?: AbortSignal }, run: () => unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const done = (error?: Error): void => (error ? reject(error) : resolve(undefined));
      const request: Request = { name, run, tab, signal: how.signal, done };
      const holder = this.#held.get(name);
      if (how.steal && holder) {
        this.#held.delete(name);
        if (!holder.tab.asleep) holder.done(new Error("stolen"));
        this.#waiting.unshift(request);
      } else this.#waiting.push(request);
      this.#grant();
    });
  }

  /** A tab is gone: its locks are free. */
  lose(tab: Tab): void {
    this.tabs.splice(this.tabs.indexOf(tab), 1);
    this.#waiting = this.#waiting.filter((request) => request.tab !== tab);
    for (const [name, request] of this.#held) if (request.tab === tab) this.#held.delete(name);
    this.#grant();
  }

  #grant(): void {
    for (const request of [...this.#waiting]) {
      if (this.#held.has(request.name)) continue;
      this.#waiting.splice(this.#waiting.indexOf(request), 1);
      if (request.signal?.aborted) {
        request.done(new Error("aborted"));
        continue;
      }
      this.#held.set(request.name, request);
      void Promise.resolve()
        .then(request.run)
        .then(() => {
          if (this.#held.get(request.name) !== request) return;
          this.#held.delete(request.name);
          request.done();
          this.#grant();
        });
    }
  }
}

/** A line that was opened: what it follows, and a way to let it tell something. */
interface Opened {
  tables: Map<string, number | null>;
  ears: Ears;
  closed: boolean;
  renewed: number;
  woken: number;
}

class Tab {
  readonly lines: Opened[] = [];
  readonly channel: Ground["channel"];
  readonly share: Share;
  asleep = false;

  constructor(browser: Browser) {
    this.channel = {
      onmessage: null,
      close: () => {},
      postMessage: (said: unknown) => {
        for (const other of browser.tabs) {
          if (other !== this && !other.asleep) {
            void Promise.resolve().then(() => other.channel.onmessage?.call(null as never, { data: said } as MessageEvent));
          }
        }
      },
    };
    const locks = {
      request: (name: string, how: LockOptions, run: () => unknown) => browser.request(this, name, how, run),
    };
    this.share = new Share({ locks, channel: this.channel, line: (tables, ears) => this.#open(tables, ears) });
  }

  get open(): Opened[] {
    return this.lines.filter((line) => !line.closed);
  }

  /** Follow a table; what was heard and how the line stood is collected. */
  follow(table: string): { heard: Message[]; standings: Standing[]; stop: () => void } {
    const heard: Message[] = [];
    const standings: Standing[] = [];
    const stop = this.share.follow(table, () => null, {
      hear: (message) => void heard.push(message),
      line: (standing) => void standings.push(standing),
    });
    return { heard, standings, stop };
  }

  #open(tables: [string, number | null][], ears: Ears): ReturnType<Ground["line"]> {
    const line: Opened = { tables: new Map(tables), ears, closed: false, renewed: 0, woken: 0 };
    this.lines.push(line);
    return {
      get versions() {
        return line.tables;
      },
      follow: (tables) => void (line.tables = new Map(tables)),
      renew: () => void line.renewed++,
      wake: () => void line.woken++,
      close: () => void (line.closed = true),
    };
  }
}

const presence = (table: string): Message => ({ kind: "presence", presence: { table, presence: [] } });
const settle = (): Promise<void> => vi.advanceTimersByTimeAsync(1).then(() => {});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("one stream for all tabs", () => {
  test("follows the tables of all, and passes each tab its events", async () => {
    const browser = new Browser();
    const one = browser.open();
    const a = one.follow("a");
    await settle();
    const two = browser.open();
    const b = two.follow("b");
    await settle();
    expect(two.lines).toEqual([]);
    expect(one.open.map((line) => [...line.tables.keys()])).toEqual([["a", "b"]]);
    one.open[0]?.ears.up();
    one.open[0]?.ears.hear(presence("b"));
    await settle();
    expect(b.heard).toEqual([presence("b")]);
    expect(b.standings.at(-1)).toEqual({ up: true, ahead: 0 }); // a tab of an earlier release counts by `ahead`
    expect(a.heard).toEqual([]);
    b.stop();
    await settle();
    expect(one.open.map((line) => [...line.tables.keys()])).toEqual([["a"]]);
  });

  test("is taken over at once when its tab closes", async () => {
    const browser = new Browser();
    const one = browser.open();
    one.follow("a");
    await settle();
    const two = browser.open();
    two.follow("b");
    const three = browser.open();
    const c = three.follow("c");
    await settle();
    browser.lose(one);
    await settle();
    expect(two.open.map((line) => [...line.tables.keys()].sort())).toEqual([["b", "c"]]);
    expect(three.lines).toEqual([]);
    two.open[0]?.ears.hear(presence("c"));
    await settle();
    expect(c.heard).toEqual([presence("c")]);
  });

  test("is handed over by a tab that leaves", async () => {
    const browser = new Browser();
    const one = browser.open();
    one.follow("a");
    await settle();
    const two = browser.open();
    two.follow("b");
    await settle();
    one.share.leave();
    await settle();
    expect(one.open).toEqual([]);
    expect(two.open.map((line) => [...line.tables.keys()])).toEqual([["b"]]);
  });

  test("drops the tables of a closed tab", async () => {
    const browser = new Browser();
    const one = browser.open();
    one.follow("a");
    await settle();
    const two = browser.open();
    two.follow("b");
    await settle();
    browser.lose(two);
    await settle();
    expect(one.open.map((line) => [...line.tables.keys()])).toEqual([["a"]]);
  });

  test("is taken from a sleeping tab, and not from one that answers", async () => {
    const browser = new Browser();
    const one = browser.open();
    one.follow("a");
    await settle();
    const two = browser.open();
    two.follow("b");
    await settle();
    two.share.wake(false);
    await vi.advanceTimersByTimeAsync(3000);
    expect(one.open[0]?.woken).toBe(1);
    expect(two.lines).toEqual([]);
    one.asleep = true;
    two.share.wake(false);
    await vi.advanceTimersByTimeAsync(3000);
    expect(two.open.map((line) => [...line.tables.keys()])).toEqual([["b"]]);
  });

  test("is reopened for all when one of them has become a guest", async () => {
    const browser = new Browser();
    const one = browser.open();
    one.follow("a");
    await settle();
    const two = browser.open();
    two.follow("b");
    await settle();
    two.share.renew();
    await settle();
    expect(one.open[0]?.renewed).toBe(1);
  });

  test("is as many streams as the tables need, and is down when one of them is", async () => {
    const browser = new Browser();
    const one = browser.open();
    const followed = Array.from({ length: 9 }, (_, index) => one.follow(`t${index}`));
    await settle();
    expect(one.open.map((line) => line.tables.size)).toEqual([8, 1]);
    one.open[0]?.ears.up();
    one.open[1]?.ears.down();
    expect(followed[0]?.standings.at(-1)?.up).toBe(false);
    expect(stale()).toBeNull();
    one.open[0]?.ears.down(426); // the page is older than the server: every tab says so
    expect(stale()).toBe("notice.outdated");
    followed[8]?.stop();
    await settle();
    expect(one.open.map((line) => line.tables.size)).toEqual([8]);
  });
});
