// One line for all tabs of a browser: over HTTP/1.1 it may have six connections to a server, and there may be many tabs.
//
// A lock decides which tab leads. The leader has the lines and tells the others what it hears; each of them holds a lock of its
// own, so that the leader notices when it is gone. When the leader goes the next one has its lock at once. A leader that does not
// answer, because the browser has put it to sleep, is relieved of it.

import { Line, MOST_TABLES, type Ears, type Message } from "./streamline";
import { ahead } from "./time";
import { heed } from "./version.svelte";

/** Whether the line stands. */
export interface Standing {
  up: boolean;
  ahead?: number; // by which tabs that an earlier release has loaded count
  status?: number; // with which a server has refused it
}

/** What is told to whoever follows a table. */
export interface Follower {
  hear(message: Message): void;
  line(standing: Standing): void;
}

type Wants = [table: string, version: number | null][];
type Said =
  | { kind: "lead" } // a tab leads now: say what you want
  | { kind: "want"; tab: string; tables: Wants }
  | { kind: "told"; message: Message }
  | { kind: "line"; standing: Standing | null } // null: nothing is known yet
  | { kind: "renew" }
  | { kind: "wake"; broken: boolean }
  | { kind: "there" } // is anybody leading?
  | { kind: "here" };

/** Locks between tabs, as a browser has them. */
export interface Locks {
  request(name: string, how: LockOptions, run: () => unknown): Promise<unknown>;
}

/** The locks, the channel between tabs, and the lines: what a browser gives, or a test. */
export interface Ground {
  locks: Locks;
  channel: Pick<BroadcastChannel, "postMessage" | "onmessage" | "close">;
  line(tables: Wants, ears: Ears): Pick<Line, "follow" | "renew" | "wake" | "close" | "versions">;
}

const LEAD = "mekuri-stream";
const PATIENCE = 2000; // milliseconds that a leader has to answer

/** One tab's part. */
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

  /** Follow a table, of which a version may be known. Gives back how to stop. */
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

  /** One may be somebody else to the server now: open the lines anew. */
  renew(): void {
    if (this.#lead) this.#lead.renew();
    else this.#say({ kind: "renew" });
  }

  /** Somebody looks, or the network has come or gone: see to it that the line is alive. `broken`: something else has just failed. */
  wake(broken: boolean): void {
    if (this.#lead) return this.#lead.wake(broken);
    this.#say({ kind: "wake", broken });
    this.#answered = false;
    this.#say({ kind: "there" });
    setTimeout(() => {
      if (!this.#answered && !this.#lead && !this.#leaving.signal.aborted) this.#ask(true);
    }, PATIENCE);
  }

  /** Have no part in it any more; another tab leads. */
  leave(): void {
    this.#leaving.abort();
    this.#retire();
    this.ground.channel.onmessage = null;
    this.ground.channel.close();
  }

  #left(): Promise<void> {
    return new Promise((resolve) => this.#leaving.signal.addEventListener("abort", () => resolve()));
  }

  /** Ask for the lock of the leader, or take it from one that sleeps. */
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

/** A line, and what is known of it. */
interface Held {
  line: ReturnType<Ground["line"]>;
  standing: Standing | null;
}

/** What the leader has beside what every tab has: the lines, and what each tab wants of them. */
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
      // Whoever has another tab's lock has outlived it.
      const gone = (): void => {
        this.#wants.delete(tab);
        this.#arrange();
        this.tell({ kind: "lead" }); // a tab that was only slow to answer says once more what it wants
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

  /** As many lines as the tables need. Those that have not changed stay as they are. */
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

  /** Down as soon as one of the lines is. */
  #standing(): Standing | null {
    const known = this.#lines.flatMap(({ standing }) => standing ?? []);
    return known.find((each) => !each.up) ?? known[0] ?? null;
  }
}
