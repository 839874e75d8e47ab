// Runs the real worker of a site in Node.js: `node node.mjs SITE STORAGE`. Each line of the standard input is a request in JSON, each line
// of the standard output a message of the worker. STORAGE is a file that has what the worker stores, as IndexedDB in a browser.
//
// Node.js has no files by address, no IndexedDB, no Cache API and no scripts by address of a blob: these are made here. The folder
// STORAGE.cache has the entries of caches. The line `{"kind": "cached"}` follows when a snapshot is kept.
//
// The second worker of the site is a thread that runs this file too. While there is a file STORAGE.held it does no work, and where there
// is a file STORAGE.alone it cannot be loaded. While there is a file STORAGE.unopened, the storage cannot be opened, and the silence after
// which a worker takes itself for the only one does not pass before another one has answered.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { isMainThread, parentPort, threadId, Worker, workerData } from "node:worker_threads";

const FASTER = 10;
const [site, storage] = process.argv.slice(2);
const folder = workerData?.folder ?? mkdtempSync(join(tmpdir(), "mekuri-worker-"));
const address = new URL("pocket/worker.js", `${pathToFileURL(site)}/`);

console.debug = () => {}; // which would write between the messages
// Without a file of what it stores, a worker is for tests of the API, in which time runs ten times as fast.
if (storage === "memory") {
  const [begun, now, later] = [Date.now(), performance.now.bind(performance), setTimeout];
  performance.now = () => now() * FASTER;
  Date.now = () => begun + Math.floor(performance.now());
  globalThis.setTimeout = (call, wait, ...given) => later(call, wait / FASTER, ...given);
}

const SILENCE = 500; // as in the worker
let ups = 0; // answers of another worker
const usual = setTimeout;
globalThis.setTimeout = (call, wait, ...given) => {
  const before = ups;
  const due = () => (wait === SILENCE && ups === before && existsSync(`${storage}.unopened`) ? usual(due, 10) : call(...given));
  return usual(due, wait);
};

process.browser = true; // so that Pyodide does what it does in a browser
globalThis.self = globalThis;
globalThis.location = address;
globalThis.WorkerGlobalScope = class {
  static [Symbol.hasInstance]() {
    return true;
  }
};
globalThis.fetch = async (asked) => new Response(readFileSync(new URL(asked)));
URL.revokeObjectURL = (made) => rmSync(new URL(made));

const asBlob = Response.prototype.blob;
Response.prototype.blob = async function () {
  const blob = await asBlob.call(this);
  return Object.assign(blob, { bytes: new Uint8Array(await blob.arrayBuffer()) });
};
URL.createObjectURL = ({ bytes }) => {
  const path = join(folder, `script-${threadId}.mjs`);
  writeFileSync(path, bytes);
  return pathToFileURL(path).href;
};

/** Call what a request or a transaction has to say, once it has been set. */
const soon = (one, how) => (setImmediate(() => one[how]?.()), one);

globalThis.indexedDB = {
  open() {
    if (storage === "refused") return soon({ error: new Error("there is no storage") }, "onerror");
    if (existsSync(`${storage}.newer`)) return soon({ error: new DOMException("a newer version", "VersionError") }, "onerror");
    if (existsSync(`${storage}.unopened`)) return soon({ error: new DOMException("the disk is full", "UnknownError") }, "onerror");
    const kept = new Map(existsSync(storage) ? JSON.parse(readFileSync(storage, "utf8")) : []);
    const objectStore = () => ({
      getAllKeys: () => ({ result: [...kept.keys()].map((key) => JSON.parse(key)) }),
      getAll: () => ({ result: [...kept.values()] }),
      put: (value, key) => kept.set(JSON.stringify(key), value),
      delete: (key) => kept.delete(JSON.stringify(key)),
    });
    const transaction = (_, mode) => {
      const one = { objectStore, error: new QuotaExceededError("the storage is full") };
      const full = existsSync(`${storage}.full`);
      const dies = existsSync(`${storage}.dies`) && readFileSync(`${storage}.dies`, "utf8"); // `before` or `after` the write
      setImmediate(() => {
        if (mode !== "readwrite") return one.oncomplete();
        if (full) return one.onabort();
        if (dies === "before") process.exit();
        if (storage !== "memory") writeFileSync(storage, JSON.stringify([...kept]));
        if (dies) process.exit();
        one.oncomplete();
      });
      return one;
    };
    return soon({ result: { transaction } }, "onsuccess");
  },
};

/** The error of a full storage, of a class of its own in new browsers. */
class QuotaExceededError extends DOMException {
  get [Symbol.toStringTag]() {
    return "QuotaExceededError";
  }
}

globalThis.navigator ??= { userAgent: "Node.js" };
globalThis.caches = {
  match: async () => undefined, // there is no service worker
  async open() {
    if (storage === "refused" || storage === "memory") throw new Error("there is no storage");
    const cache = `${storage}.cache`;
    mkdirSync(cache, { recursive: true });
    const entry = (address) => join(cache, encodeURIComponent(address.split("/").at(-1)));
    return {
      match: async (address) => (existsSync(entry(address)) ? new Response(readFileSync(entry(address))) : undefined),
      put: async (address, response) => {
        writeFileSync(entry(address), new Uint8Array(await response.arrayBuffer()));
        if (address.includes("/snapshot?")) process.stdout.write(`${JSON.stringify({ kind: "cached" })}\n`);
      },
      delete: async (address) => rmSync(entry(address), { force: true }),
      keys: async () => readdirSync(cache).map(decodeURIComponent),
    };
  },
};

globalThis.Worker = class {
  constructor(_, { name }) {
    if (existsSync(`${storage}.alone`)) return void setImmediate(() => this.onerror({ message: "there is no such file" }));
    this.thread = new Worker(new URL(import.meta.url), { argv: [site, storage], workerData: { name, folder } });
    this.thread.on("message", (data) => this.onmessage({ data }));
    this.thread.on("error", (error) => this.onerror(error));
  }
  postMessage(data) {
    this.thread?.postMessage(data);
  }
  terminate() {
    void this.thread?.terminate();
  }
};

if (isMainThread) {
  const channel = new BroadcastChannel(`mekuri-pocket ${new URL("..", address).pathname}`);
  channel.onmessage = ({ data }) => {
    if (data.bytes) data.bytes = Buffer.from(data.bytes).toString();
    process.stdout.write(`${JSON.stringify(data)}\n`);
  };
  createInterface({ input: process.stdin })
    .on("line", (line) => {
      const message = JSON.parse(line);
      if (message.kind === "up") ups++;
      channel.postMessage(message);
    })
    .on("close", () => {
      rmSync(folder, { recursive: true, force: true });
      process.exit();
    });
  await import(address);
} else {
  globalThis.name = workerData.name;
  globalThis.postMessage = (data) => parentPort.postMessage(data);
  await import(address);
  const wait = new Int32Array(new SharedArrayBuffer(4));
  parentPort.on("message", (data) => {
    while (existsSync(`${storage}.held`)) Atomics.wait(wait, 0, 0, 20);
    globalThis.onmessage({ data });
  });
}
