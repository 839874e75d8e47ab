import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { beforeEach, expect, test, vi } from "vitest";

const SCOPE = "http://host/";
const FILES: Record<string, string> = { "index.html": "<html>", "assets/page.js": "page", "assets/table.js": "table" };
const tag = (body: string): string => createHash("sha256").update(body).digest().subarray(0, 9).toString("base64");
const tags = (...names: string[]): Record<string, string> => Object.fromEntries(names.map((name) => [name, tag(FILES[name]!)]));

/** A cache of the browser. Like it, it refuses parts of files. */
class Cache {
  readonly kept = new Map<string, Response>();
  async match(address: URL): Promise<Response | undefined> {
    return this.kept.get(String(address))?.clone();
  }
  async put(address: URL, response: Response): Promise<void> {
    if (response.status === 206) throw new TypeError("a part");
    this.kept.set(String(address), response);
  }
}

let heard: Record<string, (event: object) => void>;
let boxes: Map<string, Cache>;
let sent: Record<string, () => Response | Promise<Response>>; // what the network answers, by address
let ended: string[];

/** Start the service worker with a list. */
async function start(kept: object | null): Promise<void> {
  vi.resetModules();
  heard = {};
  vi.stubGlobal("self", {
    KEPT: kept,
    registration: { scope: SCOPE, unregister: async () => ended.push("unregistered") },
    clients: { claim: async () => {}, matchAll: async () => [] },
    skipWaiting: async () => ended.push("skipped"),
    addEventListener: (kind: string, call: (event: object) => void) => (heard[kind] = call),
  });
  await import("../src/pocket/offline");
}

async function dispatch(kind: string, event: object = {}): Promise<void> {
  let work: Promise<unknown> | undefined;
  heard[kind]!({ waitUntil: (promise: Promise<unknown>) => (work = promise), ...event });
  await work;
}

/** Return the worker's answer to a request; null where it leaves it to the network. */
async function ask(path: string, mode = "no-cors", method = "GET"): Promise<Response | null> {
  let answer: Promise<Response> | null = null;
  const request = { url: new URL(path, SCOPE).href, mode, method };
  heard["fetch"]!({ request, respondWith: (given: Promise<Response>) => (answer = given) });
  return answer;
}

const kept = (): string[] => [...boxes.values()].flatMap(({ kept }) => [...kept.keys()]).sort();
const server = (version = "1"): object => ({
  version,
  now: tags("index.html", "assets/page.js"),
  later: tags("assets/table.js"),
  size: 10,
  server: true,
});

beforeEach(() => {
  ended = [];
  boxes = new Map();
  vi.stubGlobal("navigator", {});
  vi.stubGlobal(
    "BroadcastChannel",
    class {
      postMessage(): void {}
    },
  );
  vi.stubGlobal("caches", {
    open: async (name: string) => boxes.get(name) ?? boxes.set(name, new Cache()).get(name),
    keys: async () => [...boxes.keys()],
    delete: async (name: string) => boxes.delete(name),
    match: async (address: URL) => [...boxes.values()].find(({ kept }) => kept.has(String(address)))?.match(address),
  });
  sent = Object.fromEntries(Object.entries(FILES).map(([name, body]) => [SCOPE + name, () => new Response(body)]));
  vi.stubGlobal("fetch", async (asked: URL | { url: string }) => {
    const answer = sent["url" in asked ? asked.url : asked.href];
    if (!answer) throw new TypeError("no network");
    return answer();
  });
});

test("files of the list are kept, and answered without a network", async () => {
  await start(server());
  await dispatch("install");
  expect(kept()).toEqual([`${SCOPE}assets/page.js`, `${SCOPE}index.html`]);
  expect(await (await ask("/assets/table.js"))?.text()).toBe("table");
  sent = {};
  expect(await (await ask("/assets/table.js?other"))?.text()).toBe("table");
  expect(await (await ask("/t/abc", "navigate"))?.text()).toBe("<html>");
  expect(ended).toEqual([]);
});

test("requests of the API, of other files and other methods are left to the network", async () => {
  await start(server());
  for (const path of [
    "/api/games",
    "/api/stream?table=x",
    "/assets/forged.js",
    "/constructor",
    "/__proto__",
    "http://other/assets/page.js",
  ])
    expect(await ask(path), path).toBeNull();
  expect(await ask("/assets/page.js", "no-cors", "POST")).toBeNull();
  expect(await ask("/api/tables/x/record", "navigate")).toBeNull();
});

test("a page that the server sends is shown, and not kept", async () => {
  await start(server());
  sent[`${SCOPE}t/abc`] = () => new Response("Aki plays", { status: 200 });
  expect(await (await ask("/t/abc", "navigate"))?.text()).toBe("Aki plays");
  expect(kept()).toEqual([]);
});

const WRONG: [string, () => Response][] = [
  ["a file of another version", () => new Response("another")],
  ["a missing file", () => new Response("<html>", { status: 404 })],
  ["a part of a file", () => new Response("<html>", { status: 206 })],
  ["a redirect", () => Object.defineProperty(new Response("<html>"), "redirected", { value: true })],
];
test.each(WRONG)("%s is not kept", async (_, answer) => {
  const wrong = { ...server(), server: false };
  sent[`${SCOPE}index.html`] = answer;
  await start(wrong);
  await expect(dispatch("install")).rejects.toThrow("not what it should be");
  expect(kept()).not.toContain(`${SCOPE}index.html`);
});

test("a new version waits until the user updates, and then deletes what the old one kept", async () => {
  await start(server("1"));
  await dispatch("install");
  const mine = boxes.size;
  boxes.set("of another site", new Cache());
  await start(server("2"));
  await dispatch("install");
  expect([ended, boxes.size]).toEqual([[], mine + 2]);
  heard["message"]!({ data: "update", ports: [] });
  expect(ended).toEqual(["skipped"]);
  await dispatch("activate");
  expect([...boxes.keys()].sort()).toEqual([`mekuri ${SCOPE} 2`, "of another site"].sort());
});

test("the program of Python is kept decompressed too", async () => {
  const program = "pocket/pyodide.asm.wasm";
  const packed = gzipSync("program");
  const digest = createHash("sha256").update(packed).digest().subarray(0, 9).toString("base64");
  sent[`${SCOPE}${program}.bin`] = () => new Response(packed);
  await start({ version: "1", now: { [`${program}.bin`]: digest }, later: {}, size: 1, server: false });
  await dispatch("install");
  sent = {};
  const answer = await ask(program);
  expect([answer?.headers.get("content-type"), await answer?.text()]).toEqual(["application/wasm", "program"]);
});

test("packed files of the version before are kept without fetching them", async () => {
  const file = "pocket/wasm.bin";
  FILES[file] = "packed";
  sent[SCOPE + file] = () => new Response("packed");
  const site = (version: string): object => ({ version, now: tags(file), later: {}, size: 6, server: false });
  await start(site("1"));
  await dispatch("install");
  sent = {};
  await start(site("2"));
  await dispatch("install");
  expect(boxes.get(`mekuri ${SCOPE} 2`)?.kept.size).toBe(1);
});

test("nothing is fetched for later on a device that saves data", async () => {
  vi.stubGlobal("navigator", { connection: { saveData: true } });
  await start({ ...server(), server: false });
  await expect(dispatch("install")).rejects.toThrow("saves data");
  expect(kept()).toEqual([]);
});

test("without a list it deletes all that was kept, also by the copy below, and unregisters itself", async () => {
  for (const name of [`mekuri ${SCOPE} 1`, `mekuri ${SCOPE}offline/ 1`, "of another site"]) boxes.set(name, new Cache());
  await start(null);
  await dispatch("install");
  await dispatch("activate");
  expect([[...boxes.keys()], ended]).toEqual([["of another site"], ["skipped", "unregistered"]]);
  expect(await ask("/assets/page.js")).toBeNull();
});

test("without a network pages lead to the copy that plays alone, and tables stay", async () => {
  await start(server());
  await dispatch("install");
  boxes.set(`mekuri ${SCOPE}offline/ 1`, new Cache());
  sent = {};
  const led = await ask("/rules/mushi?cards=ise", "navigate");
  expect([led?.status, led?.headers.get("location")]).toEqual([302, `${SCOPE}offline/?/rules/mushi?cards=ise`]);
  expect(await (await ask("/t/abc", "navigate"))?.text()).toBe("<html>");
});
