import { beforeEach, expect, test, vi } from "vitest";

import type { Asked, Message } from "../src/pocket/worker";

vi.mock("../src/pocket/links", () => ({})); // which waits for links in a document

const PAGE = new URL("http://host/some/path/?/rules/mushi?cards=ise#mushi.deal");
let channel: { onmessage: (event: { data: Message }) => void };
let asked: Asked[];
let workers: { onerror: (event: { message: string }) => void; ended: boolean }[];

vi.mock("../src/pocket/keeping.svelte", () => ({
  isCopy: false,
  isKept: async () => true,
  saving: () => false,
  register: async () => {},
}));

beforeEach(() => {
  vi.resetModules();
  [asked, workers] = [[], []];
  vi.stubGlobal("document", { documentElement: { dataset: { pocket: "" } }, cookie: "", dispatchEvent: () => {} });
  vi.stubGlobal("location", PAGE);
  vi.stubGlobal("addEventListener", () => {});
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => {} }));
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => {} });
  vi.stubGlobal("navigator", { languages: ["en"], locks: { request: async (_: string, __: object, run: () => unknown) => run() } });
  vi.stubGlobal(
    "BroadcastChannel",
    class {
      constructor() {
        channel = this as unknown as typeof channel;
      }
      postMessage = (one: Asked): number => asked.push(one);
    },
  );
  vi.stubGlobal(
    "Worker",
    class {
      constructor(readonly address: URL) {
        workers.push(this as unknown as (typeof workers)[number]);
      }
      ended = false;
      terminate = (): boolean => (this.ended = true);
    },
  );
});

const say = (message: Message): void => channel.onmessage({ data: message });
const last = async (): Promise<Extract<Asked, { kind: "ask" }>> =>
  vi.waitFor(() => {
    const one = asked.at(-1);
    if (one?.kind !== "ask") throw new Error("nothing is asked");
    return one;
  });

test("paths of a page without a server stand in the query", async () => {
  const { addressOf, pathOf, pocket } = await import("../src/lib/reach");
  expect(pocket).toBe(true);
  expect(addressOf("/t/b7Zk?seat=0#3")).toBe("?/t/b7Zk?seat=0#3");
  expect(addressOf("#main")).toBe("#main");
  expect(pathOf(location)).toMatchObject({ pathname: "/rules/mushi", search: "?cards=ise", hash: "#mushi.deal" });
  const other = new URL("http://host/some/path/?utm=1") as unknown as Location;
  expect(pathOf(other).pathname).toBe("/");
});

test("an action that waits for the worker goes before the lists of the first screen", async () => {
  const { ask } = await import("../src/pocket/reach");
  const list = ask("/api/tables", {});
  const made = ask("/api/tables", { method: "POST", body: "{}" });
  say({ kind: "up", worker: "first" });
  const { id, method } = await last();
  expect(method).toBe("POST");
  expect(asked.filter(({ kind }) => kind === "ask")).toHaveLength(1);
  say({ kind: "begin", id, status: 201, media: "application/json" });
  say({ kind: "end", id });
  await made;
  await vi.waitFor(async () => expect((await last()).method).toBe("GET"));
  say({ kind: "begin", id: (await last()).id, status: 200, media: "application/json" });
  expect((await list).status).toBe(200);
});

test("the worker starts beside a page that the browser has kept", async () => {
  await import("../src/pocket/early");
  expect(workers).toHaveLength(0); // on a first visit the page comes first
  vi.resetModules();
  const released = vi.fn<() => void>();
  const request = (_: string, __: object, run: () => Promise<unknown>): void => void run().then(released);
  vi.stubGlobal("navigator", { serviceWorker: { controller: {} }, locks: { request } });
  await import("../src/pocket/early");
  expect(workers).toHaveLength(1);
  expect(released).not.toHaveBeenCalled();
  workers[0]!.onerror({ message: "not found" });
  await vi.waitFor(() => expect(released).toHaveBeenCalled()); // and the page tries it again
  expect(workers[0]!.ended).toBe(true);
});

test("the worker of the page's own folder answers, in parts", async () => {
  const { ask } = await import("../src/pocket/reach");
  const answering = ask("/api/games", { headers: { "mekuri-api": "2" } });
  say({ kind: "up", worker: "first" });
  const { id, method, url, headers } = await last();
  expect([method, url, headers]).toEqual(["GET", "/api/games", { "mekuri-api": "2" }]);
  expect(workers).toMatchObject([{ address: { href: "http://host/some/path/pocket/worker.js" } }]);
  say({ kind: "begin", id, status: 200, media: "application/json" });
  for (const part of ['{"ga', 'mes":1}']) say({ kind: "part", id, bytes: new TextEncoder().encode(part) });
  say({ kind: "end", id });
  const answer = await answering;
  expect([answer.status, await answer.json()]).toEqual([200, { games: 1 }]);
});

test("answers about games are files, and the worker has the others", async () => {
  const asked: string[] = [];
  const packed = new Response('{"games":[]}').body?.pipeThrough(new CompressionStream("gzip"));
  vi.stubGlobal("fetch", async (file: URL) => {
    asked.push(file.pathname);
    return asked.length > 1 ? new Response(null, { status: 204 }) : new Response(packed);
  });
  const { ask } = await import("../src/pocket/reach");
  expect(await (await ask("/api/games?brief=true", {})).json()).toEqual({ games: [] });
  void ask("/api/games/mushi/rules/en", {});
  say({ kind: "up", worker: "first" });
  expect((await last()).url).toBe("/api/games/mushi/rules/en");
  expect(asked).toEqual(["/some/path/pocket/api/games.bin", "/some/path/pocket/api/games/mushi/rules/en.bin"]);
});

test("a request fails when another worker has taken over", async () => {
  const { ask } = await import("../src/pocket/reach");
  say({ kind: "up", worker: "first" });
  const answering = ask("/api/tables", {});
  expect(await last()).toMatchObject({ method: "GET", headers: {}, body: "" });
  say({ kind: "up", worker: "first" });
  say({ kind: "up", worker: "second" });
  await expect(answering).rejects.toThrow("gone");
});

test("an aborted request ends the worker's stream", async () => {
  const { ask } = await import("../src/pocket/reach");
  say({ kind: "up", worker: "first" });
  const leaving = new AbortController();
  const answering = ask("/api/stream?table=t", { signal: leaving.signal });
  const { id } = await last();
  leaving.abort();
  await expect(answering).rejects.toThrow("aborted");
  expect(asked.at(-1)).toEqual({ kind: "leave", id });
});

test("a worker that cannot start fails all requests, and the page says so", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const { ask } = await import("../src/pocket/reach");
  const { announced } = await import("../src/lib/announced.svelte");
  const answering = ask("/api/games", {});
  say({ kind: "failed", why: "no WebAssembly" });
  await expect(answering).rejects.toThrow("no WebAssembly");
  expect(announced("en")).toBe("pocket.failed");
});
