// The worker of a page without a server: it runs the desk in Pyodide, and answers the requests of all tabs over a channel.
//
// The same file is the second worker, which the first starts for work that takes long. It has no desk, and talks to the first alone.

import type { loadPyodide, PyodideInterface } from "pyodide";
import { snapshots, type Snapshot } from "./snapshot";
import { NEWER, opened, read, write } from "./storage";

/** A message of a tab to the worker. `tab` is the name of a lock that the tab holds while it is open. */
export type Asked =
  | { kind: "there" } // is there a worker?
  | { kind: "ask"; id: string; tab: string; method: string; url: string; headers: Record<string, string>; body: string }
  | { kind: "leave"; id: string };

type Question = Extract<Asked, { kind: "ask" }>;

/** A message of the worker to all tabs. */
export type Message =
  | { kind: "up"; worker: string }
  | { kind: "failed"; why: string; newer?: boolean } // `newer`: the storage is of a newer version of the site
  | { kind: "begin"; id: string; status: number; media: string }
  | { kind: "part"; id: string; bytes: Uint8Array<ArrayBuffer> }
  | { kind: "end"; id: string }
  | { kind: "noted" }; // there is another announcement

/** Bytes of Python. */
interface Bytes {
  toJs(): Uint8Array<ArrayBuffer>;
  destroy(): void;
}

interface Pocket {
  answer(
    id: string,
    method: string,
    url: string,
    body: string,
    headers: unknown,
    begin: (status: number, media: string) => void,
    send: (part: Bytes) => void,
  ): Promise<void>;
  leave(id: string): void;
}

interface Settings {
  instantiateWasm(imports: object, receive: (instance: WebAssembly.Instance, module: WebAssembly.Module) => unknown): unknown;
}

interface Makes {
  makeMemorySnapshot(): Uint8Array<ArrayBuffer>;
}

const here = import.meta.url;
const SITE = new URL("..", here).pathname;
const PROGRAM = "pyodide.asm.wasm";
const SCRIPT = "pyodide.asm.js";
const PACKAGES = "/lib/python3.14/site-packages";
const SECOND = "second"; // the name of the second worker
const SILENCE = 500; // milliseconds without an answer after which there is no other worker
const IDLE = 30_000; // milliseconds without work after which it is ended, for it needs much memory
const MOMENT = 100; // milliseconds that lists wait for an action, which may take long
const BROKEN = ["AbortError", "QuotaExceededError", "UnknownError"]; // if a storage cannot be opened that may have entries
const ENTRY = 0x04034b50; // begins a file of a ZIP archive
const PAGE = 65_536; // bytes of a page of WebAssembly's memory
const EMPTY = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]); // the shortest module of WebAssembly
const me = crypto.getRandomValues(new Uint32Array(2)).join("-");
const channel = new BroadcastChannel(`mekuri-pocket ${SITE}`);
const tell = (message: Message | Asked): void => channel.postMessage(message);

const typeOf = (name: string): string => (name.endsWith(".wasm") ? "application/wasm" : "text/javascript");

/** Return a file of the site, which is stored compressed, so that its size is the same on every host. */
async function unpacked(name: string): Promise<Response> {
  const answer = await fetch(new URL(`${name}.bin`, here));
  if (!answer.ok || !answer.body) throw new Error(`${name}: ${answer.status}`);
  return new Response(answer.body.pipeThrough(new DecompressionStream("gzip")), { headers: { "content-type": typeOf(name) } });
}

/** Return a file as the service worker has it, decompressed: the browser keeps its machine code. Undefined if it has none. */
async function decompressed(name: string): Promise<Response | undefined> {
  const address = new URL(name, here).href;
  const kept = (await self.caches?.match(address).catch(() => undefined)) && (await fetch(address).catch(() => undefined));
  return kept?.headers.get("content-type") === typeOf(name) ? kept : undefined;
}

/** Import Pyodide's script for its program. */
async function script(): Promise<{ default: (made: Settings) => unknown }> {
  const kept = await decompressed(SCRIPT);
  void kept?.body?.cancel();
  const address = kept?.url ?? URL.createObjectURL(await (await unpacked(SCRIPT)).blob());
  return import(/* @vite-ignore */ address).finally(() => URL.revokeObjectURL(address));
}

/** Fetch what a start needs of the site. */
function fetchAll() {
  const pyodide = import(/* @vite-ignore */ new URL("pyodide.js", here).href) as Promise<{
    loadPyodide: typeof loadPyodide;
    version: string;
  }>;
  const module = WebAssembly.compileStreaming(decompressed(PROGRAM).then((kept) => kept ?? unpacked(PROGRAM)));
  const archive = async (name: string): Promise<ArrayBuffer> => (await unpacked(name)).arrayBuffer();
  const archives = [archive("python_stdlib.zip"), archive("libraries.zip"), archive("mekuri.zip")] as const;
  return Promise.all([module, script(), pyodide, ...archives]);
}

/**
 * Start Python with the code of Mekuri, from a snapshot or anew. Pyodide fetches two files itself, by their usual names, and gets those
 * of the site.
 */
async function boot(files: ReturnType<typeof fetchAll>, settings: object, snapshot?: Snapshot): Promise<PyodideInterface> {
  const [module, { default: create }, { loadPyodide, version }, library, ...archives] = await files;
  const given = new Map([
    [PROGRAM, new Response()],
    ["python_stdlib.zip", new Response(library)],
  ]);
  const usual = { fetch, streaming: WebAssembly.instantiateStreaming };
  self.fetch = async (asked, how) => given.get(String(asked).split("/").at(-1) ?? "") ?? usual.fetch(asked, how);
  WebAssembly.instantiateStreaming = async (_, imports) => ({ module, instance: await WebAssembly.instantiate(module, imports) });
  try {
    const info = { abi_version: "2026_0", arch: "wasm32", platform: "emscripten", version, python: "3.14" };
    const lockFileContents = JSON.stringify({ info, packages: {} });
    const createPyodideModule = (made: Settings): unknown => create(snapshot ? roomy(made, snapshot) : made);
    const py = await loadPyodide({
      indexURL: new URL(".", here).href,
      createPyodideModule,
      lockFileContents,
      _loadSnapshot: snapshot?.head,
      ...settings,
    } as object);
    for (const archive of archives) unpack(archive, py);
    return py;
  } finally {
    self.fetch = usual.fetch;
    WebAssembly.instantiateStreaming = usual.streaming;
  }
}

/** Have a memory grown before it gets a snapshot: Pyodide makes no room for one that is larger than a new memory. */
function roomy(made: Settings, snapshot: Snapshot): Settings {
  const usual = made.instantiateWasm;
  const instantiateWasm: Settings["instantiateWasm"] = (imports, receive) =>
    usual(imports, (instance, module) => {
      const memory = instance.exports.memory as WebAssembly.Memory;
      memory.grow(Math.max(0, Math.ceil((snapshot.size - memory.buffer.byteLength) / PAGE)));
      snapshot.into = memory;
      return receive(instance, module);
    });
  return Object.assign(made, { instantiateWasm });
}

/** Put the files of a ZIP archive that compresses none of them where Python looks for modules. */
function unpack(archive: ArrayBuffer, { FS }: PyodideInterface): void {
  const view = new DataView(archive);
  for (let at = 0; view.getUint32(at, true) === ENTRY;) {
    const [size, named, more] = [view.getUint32(at + 18, true), view.getUint16(at + 26, true), view.getUint16(at + 28, true)];
    const path = `${PACKAGES}/${new TextDecoder().decode(new Uint8Array(archive, at + 30, named))}`;
    const body = new Uint8Array(archive, at + 30 + named + more, size);
    FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    FS.writeFile(path, body, { canOwn: true }); // it stays in the archive
    at = body.byteOffset + size;
  }
}

/** Start Python, from the snapshot where there is one, and then what it is for. `keeps`: whether to keep a snapshot otherwise. */
async function start<T>(use: (py: PyodideInterface) => Promise<T>, keeps: boolean): Promise<T> {
  new WebAssembly.Module(EMPTY); // where WebAssembly is forbidden this fails at once; Pyodide would wait for ever
  const files = fetchAll();
  files.catch(() => {}); // it fails where it is used
  const kept = await keeping;
  try {
    const snapshot = await kept?.load();
    if (snapshot) {
      const py = await boot(files, {}, snapshot);
      py.runPython("from mekuri.pocket import snapshot; snapshot.wake()");
      const used = await use(py);
      await kept?.started();
      return used;
    }
  } catch (error) {
    console.debug(error);
    await kept?.delete().catch(() => {});
  }
  const making = keeps ? kept : undefined;
  const py = await boot(files, { _makeSnapshot: !!making });
  if (making) {
    py.runPython("from mekuri.pocket import snapshot; snapshot.prepare()");
    try {
      making.keep((py as unknown as Makes).makeMemorySnapshot());
    } catch (error) {
      console.debug(error);
    }
  }
  return use(py);
}

interface Desk {
  py: PyodideInterface;
  pocket: Pocket;
}

let others = 0; // answers of another worker

/**
 * Wait until there is no other worker, and return whether there was one. A browser that runs on a full device may have forgotten the
 * lock of the tab that has it.
 */
async function alone(): Promise<boolean> {
  for (let waited = false; ; waited = true) {
    const before = others;
    tell({ kind: "there" });
    await new Promise((go) => setTimeout(go, SILENCE));
    if (others === before) return waited;
  }
}

/** Start the desk with what the browser has stored. */
async function desk(): Promise<Desk> {
  let unopened = false;
  const open = (): Promise<IDBDatabase | null> =>
    opened(SITE)
      .catch(() => shrink().then(() => opened(SITE)))
      .catch((error: Error) => {
        if (error.name === NEWER) throw error;
        unopened = BROKEN.includes(error.name);
        return null;
      });
  const only = alone();
  let database = await open();
  if (others) await only; // before Python needs memory
  const keep = async (entries: string): Promise<void> => {
    try {
      await write((database ??= await opened(SITE)), entries);
    } catch (error) {
      database?.close(); // the browser has ended it if the disk is full
      database = null;
      await shrink();
      // Python would wait for ever after a QuotaExceededError, of a class that Pyodide does not know.
      return Promise.reject(new Error(String(error)));
    }
  };
  return start(async (py) => {
    if (await only) {
      unopened = false;
      database = await open(); // it has what the other worker has stored
    }
    const kept = database ? await read(database) : "[]"; // from here on there are secrets
    const how = { second: have, unopened, noted: () => tell({ kind: "noted" }) };
    const pocket = py.pyimport("mekuri.pocket.pocket").Pocket.callKwargs(database ? keep : undefined, kept, how) as Pocket;
    return { py, pocket };
  }, true);
}

/** Make room for what cannot be made again. */
async function shrink(): Promise<void> {
  await (await keeping)?.delete().catch(console.debug);
}

/** An answer of the second worker: a result, or why there is none. */
type Done = { result: Uint8Array<ArrayBuffer> } | { why: string };

interface Job {
  resolve(result: Uint8Array<ArrayBuffer>): void;
  reject(why: Error): void;
}

let second: Worker | undefined;
let idle: ReturnType<typeof setTimeout> | undefined;
const jobs: Job[] = []; // what the second worker has not done yet, in its order

/** Have the second worker do work (see mekuri.pocket.second), and start it where there is none. */
function have(work: Bytes): Promise<Uint8Array<ArrayBuffer>> {
  clearTimeout(idle);
  const doing = (second ??= engage());
  return new Promise((resolve, reject) => {
    jobs.push({ resolve, reject });
    doing.postMessage(work.toJs());
  });
}

function engage(): Worker {
  const made = new Worker(here, { type: "module", name: SECOND });
  made.onerror = (event) => dismiss(event.message || "the second worker cannot be loaded");
  made.onmessage = ({ data }: MessageEvent<Done>) => {
    if ("why" in data) return dismiss(data.why);
    jobs.shift()?.resolve(data.result);
    if (!jobs.length) idle = setTimeout(dismiss, IDLE, "idle");
  };
  return made;
}

function dismiss(why: string): void {
  second?.terminate();
  second = undefined;
  for (const job of jobs.splice(0)) job.reject(new Error(why));
}

const keeping = snapshots(SITE);
let starting: Promise<Desk>; // not in the second worker

async function answer({ id, tab, method, url, headers, body }: Question): Promise<void> {
  const before = others;
  const { py, pocket } = await starting;
  if (before !== others) return; // another worker has answered it
  watch(tab, id);
  const given = py.toPy(headers);
  try {
    await pocket.answer(
      id,
      method,
      url,
      body,
      given,
      (status, media) => tell({ kind: "begin", id, status, media }),
      (part) => tell({ kind: "part", id, bytes: part.toJs() }),
    );
  } finally {
    given.destroy();
    asked.get(tab)?.delete(id);
    tell({ kind: "end", id });
  }
}

/** Python itself has failed. The next start is from no snapshot. */
function fail(error: unknown): void {
  console.error(error);
  void keeping.then((kept) => kept?.delete());
}

const gets = new Map<string, Question>(); // by their ids, requests that change nothing and are not begun
let acting: Promise<void> | undefined; // the last action

/** Begin these requests one by one. An action comes before them: what the person does next may wait for it. */
async function begin(): Promise<void> {
  await starting;
  while (gets.size) {
    await new Promise((go) => setTimeout(go)); // in which an action can arrive
    await Promise.race([acting, new Promise((go) => setTimeout(go, MOMENT))]);
    const [next] = gets.values();
    if (!next) return; // the tab has left it
    gets.delete(next.id);
    answer(next).catch(fail);
  }
}

const asked = new Map<string, Set<string>>(); // by tab, its requests that are not answered to their end

/** End the streams of a tab when it is gone, for then this worker gets its lock. */
function watch(tab: string, id: string): void {
  const known = asked.get(tab);
  if (known) return void known.add(id);
  asked.set(tab, new Set([id]));
  void self.navigator?.locks?.request(tab, () => {
    for (const each of asked.get(tab) ?? []) void starting.then(({ pocket }) => pocket.leave(each));
    asked.delete(tab);
  });
}

/** Say whether the desk is up, once that is known. */
function report(): void {
  starting.then(
    () => tell({ kind: "up", worker: me }),
    (error: unknown) => tell({ kind: "failed", why: String(error), newer: (error as Error).name === NEWER }),
  );
}

/** Answer the tabs. */
function lead(): void {
  starting = desk();
  channel.onmessage = ({ data }: MessageEvent<Asked | Message>) => {
    if (data.kind === "up") {
      others++;
      gets.clear();
    }
    if (data.kind === "there") report();
    if (data.kind === "ask") {
      if (data.method !== "GET") acting = answer(data).catch(fail);
      else if (gets.set(data.id, data).size === 1) begin().catch(fail);
    }
    if (data.kind === "leave" && !gets.delete(data.id)) void starting.then(({ pocket }) => pocket.leave(data.id));
  };
  report();
}

/** Do what the first worker asks for, as the second one. */
function help(): void {
  const running = start(async (py) => {
    py.pyimport("mekuri.pocket.search").use();
    return py.pyimport("mekuri.pocket.second").run as (work: Uint8Array) => Bytes;
  }, false);
  const done = (message: Done): void => self.postMessage(message);
  self.onmessage = ({ data }: MessageEvent<Uint8Array>) =>
    void running
      .then((run) => {
        const result = run(data);
        done({ result: result.toJs() });
        result.destroy();
      })
      .catch((error: unknown) => done({ why: String(error) }));
}

if (self.name === SECOND) help();
else lead();
