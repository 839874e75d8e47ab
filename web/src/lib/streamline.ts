// A connection to the server's stream, for up to eight tables. It reconnects after every failure.
//
// It reads with `fetch`, because `EventSource` hides three things that matter here: the keep-alive every 15 seconds of
// silence, why a connection was refused, and the id from which a connection for other tables resumes.

import type { Event, Notice, Table, TablePresence } from "../wire";
import { announce } from "./announced.svelte";
import { reach } from "./reach";
import { note } from "./time";
import { API } from "./version.svelte";

/** An event of a table. */
export type Message =
  { kind: "table"; table: Table } | { kind: "event"; event: Event } | { kind: "presence"; presence: TablePresence };

/** The callbacks of a connection. */
export interface Ears {
  hear(message: Message): void;
  up(): void; // it is open
  down(status?: number): void; // it was lost or refused, with the server's reason if there is one
}

export const MOST_TABLES = 8; // of one line
const SILENCE = 40_000; // milliseconds after which a connection is dead
const DOUBT = 17_000; // milliseconds of silence after which to reconnect: the server's silence is never longer
const MOMENT = 1000; // milliseconds for which a keep-alive always counts
const SHORTEST = 500;
const LONGEST = 15_000;

export class Line {
  #versions: Map<string, number | null>; // the known version of each table; null before its first event
  #reading: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #tries = 0;
  #heard = 0;
  #closed = false;

  /** Open a stream for these tables, each from its known version; null for the whole table. */
  constructor(
    tables: Iterable<[string, number | null]>,
    private readonly ears: Ears,
  ) {
    this.#versions = new Map(tables);
    void this.#read();
  }

  /** Return the last version of each table. */
  get versions(): ReadonlyMap<string, number | null> {
    return this.#versions;
  }

  /** Follow other tables. Events of tables that stay are not repeated. */
  follow(tables: Iterable<[string, number | null]>): void {
    this.#versions = new Map(Array.from(tables, ([id, version]) => [id, this.#versions.get(id) ?? version]));
    this.#tries = 0;
    void this.#read();
  }

  /** Start over with the whole of every table: the server may know this viewer as another guest now. */
  renew(): void {
    this.#versions = new Map(Array.from(this.#versions.keys(), (id) => [id, null]));
    this.#tries = 0;
    void this.#read();
  }

  /** Reconnect without waiting: the network may be back, or the page is visible again. `broken`: a request has just failed. */
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

  /** Return the milliseconds since the last message. After the clock was set back the connection is doubtful, instead of valid for hours. */
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
      const answer = await reach(this.#address(), { headers: this.#headers(), signal: mine.signal });
      if (!answer.ok) status = answer.status;
      if (current() && answer.ok && answer.body) {
        this.#tries = 0;
        note(answer);
        this.ears.up();
        before?.abort(); // not earlier, so that no player seems to have left
        for await (const [event, data, id] of messages(answer.body, () => (this.#heard = Date.now()))) {
          if (!current() || event === "bye") break;
          this.#hear(event, data, id);
        }
      }
    } catch {
      // After an error, a refusal or a timeout: retry.
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

/** Yield the messages of a server-sent event stream, each one line of data. `beat` is called for all data. */
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
        const [, name, value] = /^(event|data|id): ?(.*)$/.exec(line) ?? [];
        if (name) fields[name as Field] = value ?? "";
      }
      if (fields.data) yield [fields.event, fields.data, fields.id];
    }
  }
}
