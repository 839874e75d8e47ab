// One line to the server's stream, for up to eight tables. It is kept up: whatever breaks it, it comes back.
//
// It is read with `fetch`, for `EventSource` hides three things that matter here: the sign of life that comes every 15 seconds of
// silence, why a line was refused, and the id from which a line for other tables goes on.

import type { Event, Notice, Table, TablePresence } from "../wire";
import { announce } from "./announced.svelte";
import { note } from "./time";
import { API } from "./version.svelte";

/** What is heard of a table. */
export type Message =
  { kind: "table"; table: Table } | { kind: "event"; event: Event } | { kind: "presence"; presence: TablePresence };

/** What a line tells whoever opened it. */
export interface Ears {
  hear(message: Message): void;
  up(): void; // it stands
  down(status?: number): void; // it was lost, or could not be had; why, where a server has said so
}

export const MOST_TABLES = 8; // of one line
const SILENCE = 40_000; // milliseconds after which a line is dead
const DOUBT = 17_000; // milliseconds after which it is worth trying another: the server is never silent for longer
const MOMENT = 1000; // milliseconds for which a sign of life counts in any case
const SHORTEST = 500;
const LONGEST = 15_000;

export class Line {
  #versions: Map<string, number | null>; // what is known of each table; null before anything is
  #reading: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #tries = 0;
  #heard = 0;
  #closed = false;

  /** A line for these tables, each from the version that is known of it; null for the whole table. */
  constructor(
    tables: Iterable<[string, number | null]>,
    private readonly ears: Ears,
  ) {
    this.#versions = new Map(tables);
    void this.#read();
  }

  /** The version of each table that was heard last. */
  get versions(): ReadonlyMap<string, number | null> {
    return this.#versions;
  }

  /** Follow other tables. What was heard of those that stay is not told again. */
  follow(tables: Iterable<[string, number | null]>): void {
    this.#versions = new Map(Array.from(tables, ([id, version]) => [id, this.#versions.get(id) ?? version]));
    this.#tries = 0;
    void this.#read();
  }

  /** Begin anew, with the whole of every table: one may be somebody else to the server now. */
  renew(): void {
    this.#versions = new Map(Array.from(this.#versions.keys(), (id) => [id, null]));
    this.#tries = 0;
    void this.#read();
  }

  /** There may be a network again, or somebody who looks: do not wait. `broken`: something else has just failed. */
  wake(broken = false): void {
    const waiting = this.#timer !== undefined && this.#reading === null;
    if (!waiting && this.#silent < (broken ? MOMENT : DOUBT)) return;
    this.#tries = 0;
    void this.#read();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#reading?.abort();
  }

  /** Milliseconds since something was heard. A clock that was set back meanwhile makes a line doubtful, and not good for hours. */
  get #silent(): number {
    return Math.abs(Date.now() - this.#heard);
  }

  async #read(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const before = this.#reading;
    const mine = (this.#reading = new AbortController());
    const current = (): boolean => this.#reading === mine && !this.#closed;
    this.#heard = Date.now();
    this.#watch(mine);
    let status: number | undefined;
    try {
      const answer = await fetch(this.#address(), { headers: this.#headers(), signal: mine.signal });
      if (!answer.ok) status = answer.status;
      if (current() && answer.ok && answer.body) {
        this.#tries = 0;
        note(answer);
        this.ears.up();
        before?.abort(); // not earlier, so that nobody seems to have gone
        for await (const [event, data, id] of messages(answer.body, () => (this.#heard = Date.now()))) {
          if (!current() || event === "bye") break;
          this.#hear(event, data, id);
        }
      }
    } catch {
      // Broken, refused or given up: all the same, it is tried again.
    }
    before?.abort();
    mine.abort();
    if (current()) this.#retry(status);
  }

  #retry(status?: number): void {
    this.#reading = null;
    this.ears.down(status);
    const longest = Math.min(LONGEST, SHORTEST * 2 ** this.#tries++);
    this.#timer = setTimeout(() => void this.#read(), longest * (0.5 + Math.random() / 2));
  }

  #watch(mine: AbortController): void {
    const left = SILENCE - this.#silent;
    if (left <= 0) mine.abort();
    else if (!mine.signal.aborted) setTimeout(() => this.#watch(mine), left);
  }

  #address(): string {
    return `/api/stream?${Array.from(this.#versions.keys(), (id) => `table=${encodeURIComponent(id)}`).join("&")}`;
  }

  #headers(): Record<string, string> {
    const headers: Record<string, string> = { ...API, accept: "text/event-stream" };
    const versions = [...this.#versions.values()];
    if (versions.some((version) => version !== null)) headers["last-event-id"] = versions.map((each) => each ?? "").join(",");
    return headers;
  }

  #hear(event: string, data: string, id: string): void {
    const versions = id.split(",");
    if (id) for (const [index, table] of [...this.#versions.keys()].entries()) this.#know(table, versions[index]);
    if (event === "table") this.ears.hear({ kind: event, table: JSON.parse(data) as Table });
    if (event === "event") this.ears.hear({ kind: event, event: JSON.parse(data) as Event });
    if (event === "notice") announce(JSON.parse(data) as Notice);
    if (event === "presence") this.ears.hear({ kind: event, presence: JSON.parse(data) as TablePresence });
  }

  #know(table: string, version: string | undefined): void {
    if (version) this.#versions.set(table, Number(version));
  }
}

type Field = "event" | "data" | "id";

/** The messages of a stream of server-sent events, each one line of data. `beat` is called for whatever arrives. */
export async function* messages(
  body: ReadableStream<Uint8Array>,
  beat: () => void,
): AsyncGenerator<[event: string, data: string, id: string]> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    beat();
    const parts = (rest + value).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const fields: Record<Field, string> = { event: "message", data: "", id: "" };
      for (const line of part.split("\n")) {
        const [, name, told] = /^(event|data|id): ?(.*)$/.exec(line) ?? [];
        if (name) fields[name as Field] = told ?? "";
      }
      if (fields.data) yield [fields.event, fields.data, fields.id];
    }
  }
}
