// Locks between the tabs of a browser without the Web Locks API, as over plain http: the tab that holds a lock answers for it over a channel, and so does
// the tab that requested it first. If two tabs hold one lock, as after a sleep, the same answers give it to the first.

interface Said {
  kind: "ask" | "held" | "first" | "free" | "steal"; // held by the tab that requested it first
  name: string;
  since: number;
  tab: number;
}

interface Wish {
  name: string;
  since: number; // the time of the request, in ms since the epoch: all tabs share a clock
  grant: () => void;
  lose: (reason: string) => void;
  timer?: ReturnType<typeof setTimeout>;
}

const SILENCE = 300; // milliseconds without an answer after which a lock is free
const AGAIN = 3000; // milliseconds between checks that a lock is still held, because a tab may have crashed

export class Locks {
  readonly #tab = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  readonly #held = new Map<string, Wish>();
  readonly #wishes = new Set<Wish>();
  #channel: BroadcastChannel | null = null; // open while needed: a page with an open channel does not enter the back-forward cache

  /** Like `request` of the Web Locks API. */
  request(name: string, { signal, steal }: LockOptions, run: () => unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const wish: Wish = {
        name,
        since: performance.timeOrigin + performance.now(),
        grant: () => {
          this.#wishes.delete(wish);
          this.#held.set(name, wish);
          this.#say("held", wish);
          void Promise.resolve()
            .then(run)
            .then(resolve, reject)
            .then(() => this.#held.get(name) === wish && this.#drop(wish));
        },
        lose: (reason) => {
          this.#drop(wish);
          reject(new DOMException(reason, "AbortError"));
        },
      };
      if (signal?.aborted) return wish.lose("given up");
      signal?.addEventListener("abort", () => this.#wishes.has(wish) && wish.lose("given up"));
      this.#wishes.add(wish);
      if (!steal) return this.#ask(wish, SILENCE);
      this.#say("steal", wish);
      wish.grant();
    });
  }

  #ask(wish: Wish, silence: number): void {
    clearTimeout(wish.timer);
    this.#say("ask", wish);
    wish.timer = setTimeout(wish.grant, silence);
  }

  #wait(wish: Wish): void {
    clearTimeout(wish.timer);
    wish.timer = setTimeout(() => this.#ask(wish, AGAIN), AGAIN);
  }

  #drop(wish: Wish): void {
    clearTimeout(wish.timer);
    this.#wishes.delete(wish);
    if (this.#held.get(wish.name) === wish) this.#held.delete(wish.name);
    this.#say("free", wish);
    if (this.#held.size || this.#wishes.size) return;
    this.#channel?.close();
    this.#channel = null;
  }

  #say(kind: Said["kind"], { name, since }: Wish): void {
    if (!this.#channel) {
      this.#channel = new BroadcastChannel("mekuri-locks");
      this.#channel.onmessage = ({ data }: MessageEvent<Said>) => this.#hear(data);
    }
    this.#channel.postMessage({ kind, name, since, tab: this.#tab } satisfies Said);
  }

  #hear({ kind, name, since, tab }: Said): void {
    const held = this.#held.get(name);
    const wish = [...this.#wishes].find((each) => each.name === name);
    const first = ({ since: mine }: Wish): boolean => (mine - since || this.#tab - tab) < 0;
    if (held) {
      if (kind === "steal" || (kind === "held" && !first(held))) held.lose("another tab has it");
      else if (kind !== "free") this.#say("held", held);
    } else if (wish) {
      if (kind === "free") this.#ask(wish, SILENCE);
      else if (kind === "held" || kind === "steal" || !first(wish)) this.#wait(wish);
      else if (kind === "ask") this.#say("first", wish);
    }
  }
}
