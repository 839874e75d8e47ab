import { beforeEach, describe, expect, test, vi } from "vitest";

/** A browser's history, as far as the page uses it. */
class Browser {
  entries = [{ href: "http://x/", state: null as unknown }];
  at = 0;
  readonly listeners: ((event: { state: unknown }) => void)[] = [];

  get href(): string {
    return this.entries[this.at]?.href ?? "";
  }

  readonly history = (() => {
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- an accessor cannot be an arrow function
    const browser = this;
    return {
      get state(): unknown {
        return browser.entries[browser.at]?.state;
      },
      pushState(state: unknown, _title: string, address?: string): void {
        const { href } = new URL(address ?? "", browser.href);
        browser.entries.splice(++browser.at, Infinity, { href, state });
      },
      replaceState(state: unknown, _title: string, address?: string): void {
        browser.entries[browser.at] = { href: new URL(address ?? "", browser.href).href, state };
      },
      back: (): void => void setTimeout(() => browser.step(-1)),
    };
  })();

  step(by: number): void {
    if (!this.entries[this.at + by]) return;
    this.at += by;
    for (const tell of this.listeners) tell({ state: this.history.state });
  }
}

let browser: Browser;
let route: typeof import("../src/lib/route.svelte");
let closed: string[];

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  browser = new Browser();
  closed = [];
  vi.stubGlobal("history", browser.history);
  vi.stubGlobal("scrollY", 0);
  vi.stubGlobal("addEventListener", (kind: string, tell: () => void) => kind === "popstate" && browser.listeners.push(tell));
  vi.stubGlobal("location", {
    get href() {
      return browser.href;
    },
    get pathname() {
      return new URL(browser.href).pathname;
    },
    get search() {
      return new URL(browser.href).search;
    },
    get hash() {
      return new URL(browser.href).hash;
    },
  });
  route = await import("../src/lib/route.svelte");
  route.go("/t/a");
});

/** Something is opened over the screen. Gives back how it is put away by its own button. */
function open(name: string): () => void {
  const gone = route.cover(() => void closed.push(name));
  return gone;
}

async function back(): Promise<string> {
  browser.step(-1);
  await vi.advanceTimersByTimeAsync(10);
  return route.here().path;
}

describe("the step back", () => {
  test("closes an overlay before it leaves the screen", async () => {
    open("sheet");
    expect(await back()).toBe("/t/a");
    expect(closed).toEqual(["sheet"]);
    expect(await back()).toBe("/");
  });

  test("closes one overlay after the other, the topmost first", async () => {
    open("sheet");
    open("card");
    expect(await back()).toBe("/t/a");
    expect(closed).toEqual(["card"]);
    expect(await back()).toBe("/t/a");
    expect(closed).toEqual(["card", "sheet"]);
    expect(await back()).toBe("/");
  });

  test("leaves the screen at once after all overlays were closed otherwise, also after many sheets", async () => {
    for (let times = 0; times < 3; times++) open("sheet")();
    const gone = open("sheet");
    const above = open("card");
    above();
    gone();
    expect(await back()).toBe("/");
    expect(closed).toEqual([]);
  });

  test("returns from the target of a link in a sheet", async () => {
    open("sheet");
    route.go("/settings");
    expect(await back()).toBe("/t/a");
    expect(await back()).toBe("/");
    expect(closed).toEqual([]);
  });

  test("keeps the screen that was reached under a sheet", async () => {
    route.go("/t/a#3", true);
    open("sheet");
    route.go("/t/a#5", true);
    await back();
    expect(closed).toEqual(["sheet"]);
    expect(route.here().hash).toBe("5");
    expect(browser.href).toBe("http://x/t/a#5");
  });

  test("is skipped after a reload with an open sheet", async () => {
    open("sheet");
    vi.resetModules();
    browser.listeners.length = 0;
    route = await import("../src/lib/route.svelte");
    expect(await back()).toBe("/");
  });
});
