// Requests to the worker of a page without a server. All tabs share one worker, and ask it over a channel: the tab that has the lock
// has the worker. When that tab is closed, the next one gets the lock and starts the worker anew, from what the browser has stored.

import { announce } from "../lib/announced.svelte";
import { language, say, type Key } from "../lib/language.svelte";
import { isCopy, isKept, register } from "./keeping.svelte";
import type { Notice } from "../wire";
import { LOCK, saving, site, startWorker } from "./lead";
import "./links";
import type { Asked, Message } from "./worker";

interface Waiting {
  begin(answer: Response): void;
  fail(why: Error): void; // does nothing after `begin`
  acts: boolean;
  body: ReadableStream<Uint8Array<ArrayBuffer>>;
  pen: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
}

const MOMENT = 300; // milliseconds after which the page says that it is getting ready
const random = (): string => crypto.getRandomValues(new Uint32Array(2)).join("-");
const tab = `mekuri-pocket-tab-${random()}`;
const channel = new BroadcastChannel(LOCK);
const tell = (asked: Asked): void => channel.postMessage(asked);
const mention = (key: Key): void => announce({ texts: { [language()]: say(key) } });

const waiting = new Map<string, Waiting>();
let count = 0;
let worker = ""; // the name of the worker that is up
let resolve: () => void;
let reject: (why: Error) => void;
const up = new Promise<void>((...both) => ([resolve, reject] = both));

channel.onmessage = ({ data }: MessageEvent<Message>) => {
  if (data.kind === "up") {
    // Another worker than before knows nothing of what that one was asked.
    if (worker !== data.worker) for (const id of waiting.keys()) end(id, new TypeError("the worker is gone"));
    worker = data.worker;
    resolve();
  } else if (data.kind === "failed") fail(data.why, data.newer ? "pocket.newer" : undefined);
  else if (data.kind === "noted") void ask("/api/notice", {}).then(async (answer) => announce((await answer.json()) as Notice));
  else if (data.kind === "begin") {
    const one = waiting.get(data.id);
    one?.begin(new Response(one.body, { status: data.status, headers: { "content-type": data.media } }));
    if (one?.acts) document.dispatchEvent(new Event("mekuri-acted"));
  } else if (data.kind === "part") waiting.get(data.id)?.pen.enqueue(data.bytes);
  else end(data.id);
};

function end(id: string, why?: Error): void {
  const one = waiting.get(id);
  if (!one) return;
  waiting.delete(id);
  one.fail(why ?? new TypeError("no answer"));
  if (why) one.pen.error(why);
  else one.pen.close();
}

function fail(why: string, key: Key = "pocket.failed"): void {
  reject(new TypeError(why));
  console.error(why);
  mention(key);
}

/** Start the worker. The lock is held until the tab is closed. */
async function lead(): Promise<void> {
  if (isCopy && saving() && !(await isKept())) return fail("this device saves data", "pocket.saving");
  startWorker().onerror = (event) => fail(event.message || "the worker cannot be loaded");
  return new Promise(() => {});
}

// A browser has no locks over plain http.
void (navigator.locks ? Promise.resolve(navigator.locks) : import("../lib/locks").then(({ Locks }) => new Locks())).then(
  (locks) => {
    locks.request(tab, {}, () => new Promise(() => {})).catch(console.debug);
    // If a browser on a full device refuses a lock, the worker asks for others itself.
    locks.request(LOCK, {}, lead).catch(lead);
  },
);
tell({ kind: "there" });
const getting = setTimeout(mention, MOMENT, "pocket.starting");
up.then(
  () => {
    clearTimeout(getting);
    // From now on the page opens without a network, where the browser allows it.
    void register(new URL("sw.js", site).href);
  },
  () => clearTimeout(getting),
);

// Answers that are files of the site, so that home, rule books and lessons show before the worker is up.
const WRITTEN = /^(\/api\/games)(\?brief=true$|(?:\/[\w-]+(?:\/lesson|\/(?:texts|rules)\/\w+)?)$)/;

/** Return an answer that is a file of the site, compressed; undefined where there is none, or the network is off. */
async function written(path: string): Promise<Response | undefined> {
  const [, start, rest] = WRITTEN.exec(path) ?? [];
  if (!rest) return undefined;
  const found = await fetch(new URL(`pocket${start}${rest[0] === "?" ? "" : rest}.bin`, site)).catch(() => undefined);
  const body = found?.status === 200 ? found.body?.pipeThrough(new DecompressionStream("gzip")) : undefined;
  return body && new Response(body, { headers: { "content-type": "application/json" } });
}

/** The number of the person who asks, of the people who share this screen, from 1; 0 is a spectator. */
export const asking = { player: 1 };

/** Return the header of a request of one of them. */
export const as = (player: number): Record<string, string> => ({ "mekuri-player": `${player}` });

/** Return the screen of a table. */
export const shared = () => import("./Shared.svelte");

const actions: Promise<Response>[] = []; // asked for before the worker was up

/** Like `fetch`, for a path of the API. */
export function ask(path: string, request: RequestInit): Promise<Response> {
  const answered = deliver(path, request);
  if (!worker && (request.method ?? "GET") !== "GET") actions.push(answered);
  return answered;
}

async function deliver(path: string, { method = "GET", headers = {}, body, signal }: RequestInit): Promise<Response> {
  const file = await written(path);
  if (file) return file;
  await up;
  if (method === "GET") await Promise.allSettled(actions); // a press does not wait for the lists of the first screen
  signal?.throwIfAborted();
  const id = `${tab}/${++count}`;
  const leave = (): void => {
    waiting.delete(id);
    tell({ kind: "leave", id });
  };
  return new Promise((begin, fail) => {
    const one: Partial<Waiting> = { begin, fail, acts: method !== "GET" };
    one.body = new ReadableStream({ start: (pen) => void (one.pen = pen), cancel: leave });
    waiting.set(id, one as Waiting);
    signal?.addEventListener("abort", () => {
      if (!waiting.has(id)) return;
      end(id, new DOMException("the request was aborted", "AbortError"));
      leave();
    });
    const given = { ...(asking.player !== 1 && as(asking.player)), ...(headers as Record<string, string>) };
    tell({ kind: "ask", id, tab, method, url: path, headers: given, body: (body as string | undefined) ?? "" });
    // The browser keeps what is stored as long as it can, from the first thing that is worth it.
    if (method === "POST") void navigator.storage?.persist?.();
  });
}
