// One stream for all tabs of a browser: over HTTP/1.1 a browser opens six connections to a server, and it may have many tabs.
//
// A lock decides which tab leads. The leader has the streams and passes their events to the other tabs. Each of them holds a lock of
// its own, so the leader notices when it closes. When the leader closes, the next tab gets the leader's lock at once. If a leader does
// not answer because the browser has put it to sleep, another tab takes the lock.

import { Line, MOST_TABLES, type Ears, type Message } from "./streamline";
import { ahead } from "./time";
import { heed } from "./version.svelte";

/** Whether the stream is open. */
export interface Standing {
  up: boolean;
  ahead?: number; // counts in tabs of an earlier release
  status?: number; // with which the server refused it
}

/** The callbacks of a follower of a table. */
export interface Follower {
  hear(message: Message): void;
  line(standing: Standing): void;
}

type Wants = [table: string, version: number | null][];
type Said =
  | { kind: "lead" } // a tab leads now: send your tables
  | { kind: "want"; tab: string; tables: Wants }
  | { kind: "told"; message: Message }
  | { kind: "line"; standing: Standing | null } // null: nothing is known yet
  | { kind: "renew" }
  | { kind: "wake"; broken: boolean }
  | { kind: "there" } // does any tab lead?
  | { kind: "here" };

/** The locks between tabs, as a browser provides them. */
export interface Locks {
  request(name: string, how: LockOptions, run: () => unknown): Promise<unknown>;
}

/** The locks, the channel between tabs, and the streams: the browser's, or those of a test. */
export interface Ground {
  locks: Locks;
  channel: Pick<BroadcastChannel, "postMessage" | "onmessage" | "close">;
  line(tables: Wants, ears: Ears): Pick<Line, "follow" | "renew" | "wake" | "close" | "versions">;
}

const LEAD = "mekuri-stream";
const PATIENCE = 2000; // milliseconds for the leader to answer

/** The part of one tab. */
export class Share {
  readonly #tab = crypto.getRandomValues(new Uint32Array(2)).join("-");
  readonly #mine = new Map<string, { version: () => number | null; followers: Set<Follower> }>();
  readonly #leaving = new AbortController();
  #lead: Lead | null = null;
  #standing: Standing | null = null;
  #answered = true;

  constructor(private readonly ground: Ground) {
    ground.channel.onmessage = (event: MessageEvent<Said>) => this.#heed(event.data);
    ground.locks.request(`${LEAD}-${this.#tab}`, {}, () => this.#left()).catch(() => {});
    this.#ask();
  }

  /** Follow a table, from `version` if it is known. Return a function that stops. */
  follow(table: string, version: () => number | null, follower: Follower): () => void {
    const wanted = this.#mine.get(table) ?? { version, followers: new Set() };
    wanted.followers.add(follower);
    this.#mine.set(table, wanted);
    if (this.#standing) follower.line(this.#standing);
    this.#want();
    return () => {
      wanted.followers.delete(follower);
      if (wanted.followers.size) return;
      this.#mine.delete(table);
      this.#want();
    };
  }

  /** Reopen the streams: the server may know this viewer as another guest now. */
  renew(): void {
    if (this.#lead) this.#lead.renew();
    else this.#say({ kind: "renew" });
  }

  /** Check that the stream is alive: the page is visible again, or the network has changed. `broken`: a request has just failed. */
  wake(broken: boolean): void {
    if (this.#lead) return this.#lead.wake(broken);
    this.#say({ kind: "wake", broken });
    this.#answered = false;
    this.#say({ kind: "there" });
    setTimeout(() => {
      if (!this.#answered && !this.#lead && !this.#leaving.signal.aborted) this.#ask(true);
    }, PATIENCE);
  }

  /** Leave; another tab leads. */
  leave(): void {
    this.#leaving.abort();
    this.#retire();
    this.ground.channel.onmessage = null;
    this.ground.channel.close();
  }

  #left(): Promise<void> {
    return new Promise((resolve) => this.#leaving.signal.addEventListener("abort", () => resolve()));
  }

  /** Request the leader's lock, or take it from a leader that sleeps. */
  #ask(steal = false): void {
    const how = steal ? { steal } : { signal: this.#leaving.signal };
    const stolen = (): void => {
      this.#retire();
      if (!this.#leaving.signal.aborted) this.#ask();
    };
    this.ground.locks
      .request(LEAD, how, () => {
        if (this.#leaving.signal.aborted) return;
        this.#lead = new Lead(this.ground, (said) => {
          this.#say(said);
          this.#heed(said);
        });
        this.#say({ kind: "lead" });
        this.#want();
        return this.#left();
      })
      .catch(stolen);
  }

  #retire(): void {
    this.#lead?.close();
    this.#lead = null;
  }

  #want(): void {
    const tables: Wants = Array.from(this.#mine, ([table, { version }]) => [table, version()]);
    if (this.#lead) this.#lead.want(this.#tab, tables);
    else this.#say({ kind: "want", tab: this.#tab, tables });
  }

  #say(said: Said): void {
    if (!this.#leaving.signal.aborted) this.ground.channel.postMessage(said);
  }

  #heed(said: Said): void {
    if (said.kind === "told") {
      for (const follower of this.#mine.get(tableOf(said.message))?.followers ?? []) follower.hear(said.message);
    } else if (said.kind === "line") {
      this.#standing = said.standing;
      if (said.standing?.status) heed(said.standing.status);
      if (said.standing) for (const { followers } of this.#mine.values()) for (const each of followers) each.line(said.standing);
    } else if (said.kind === "lead") {
      this.#want();
    } else if (said.kind === "here") {
      this.#answered = true;
    } else if (this.#lead) {
      if (said.kind === "there") this.#say({ kind: "here" });
      if (said.kind === "renew") this.#lead.renew();
      if (said.kind === "wake") this.#lead.wake(said.broken);
      if (said.kind === "want") this.#lead.want(said.tab, said.tables, true);
    }
  }
}

function tableOf(message: Message): string {
  if (message.kind === "table") return message.table.id;
  return message.kind === "event" ? message.event.table : message.presence.table;
}

/** A stream, and the known versions of its tables. */
interface Held {
  line: ReturnType<Ground["line"]>;
  standing: Standing | null;
}

/** The leader's own state: the streams, and the tables of each tab. */
class Lead {
  readonly #wants = new Map<string, Wants>();
  readonly #lines: Held[] = [];
  #closed = false;

  constructor(
    private readonly ground: Ground,
    private readonly tell: (said: Said) => void,
  ) {}

  want(tab: string, tables: Wants, watch = false): void {
    if (watch && !this.#wants.has(tab)) {
      // If this tab gets another tab's lock, that tab is closed.
      const gone = (): void => {
        this.#wants.delete(tab);
        this.#arrange();
        this.tell({ kind: "lead" }); // a tab that was only slow sends its tables again
      };
      this.ground.locks.request(`${LEAD}-${tab}`, {}, gone).catch(() => {});
    }
    this.#wants.set(tab, tables);
    this.#arrange();
    if (watch) this.tell({ kind: "line", standing: this.#standing() });
  }

  renew(): void {
    for (const { line } of this.#lines) line.renew();
  }

  wake(broken: boolean): void {
    for (const { line } of this.#lines) line.wake(broken);
  }

  close(): void {
    this.#closed = true;
    for (const { line } of this.#lines.splice(0)) line.close();
  }

  /** Open as many streams as the tables need. Unchanged ones stay. */
  #arrange(): void {
    if (this.#closed) return;
    const tables: Wants = [...new Map([...this.#wants.values()].flat())];
    const shares = Array.from({ length: Math.ceil(tables.length / MOST_TABLES) }, (_, index) =>
      tables.slice(index * MOST_TABLES, (index + 1) * MOST_TABLES),
    );
    for (const { line } of this.#lines.splice(shares.length)) {
      line.close();
      this.tell({ kind: "line", standing: this.#standing() }); // it may have been the one that was down
    }
    for (const [index, share] of shares.entries()) {
      const line = this.#lines[index]?.line;
      if (!line) this.#open(share);
      else if (share.length !== line.versions.size || share.some(([table]) => !line.versions.has(table))) line.follow(share);
    }
  }

  #open(share: Wants): void {
    const update = (standing: Standing): void => {
      kept.standing = standing;
      this.tell({ kind: "line", standing: this.#standing() });
    };
    const line = this.ground.line(share, {
      hear: (message) => this.tell({ kind: "told", message }),
      up: () => update({ up: true, ahead }),
      down: (status) => update({ up: false, ...(status && { status }) }),
    });
    const kept: Held = { line, standing: null };
    this.#lines.push(kept);
  }

  /** Report `down` if one of the streams is. */
  #standing(): Standing | null {
    const known = this.#lines.flatMap(({ standing }) => standing ?? []);
    return known.find((each) => !each.up) ?? known[0] ?? null;
  }
}
