// The service worker, of a server's page and of a site without a server: it keeps the files of the page for offline, and shows the
// notifications of turns that a push service sends. It stores files of its list only, and nothing that differs from their digests:
// no answer of the API, no stream, and no page as a server sends it, which may name people.
//
// Python writes its list before this script (`mekuri.pocket.kept`), so another version of the page has another service worker. It
// waits until no tab of the version before is open or the user updates, so no tab gets parts of two versions. A list of null ends it.

export {};

interface Kept {
  version: string;
  now: Record<string, string>; // the files that it keeps at once, with the beginning of their SHA-256 in base64
  later: Record<string, string>; // the files that it keeps once they are used
  size: number; // bytes of the files that it keeps at once
  server: boolean; // whether a server sends the pages, which are shown as long as it does
}

interface Awaited {
  waitUntil(work: Promise<unknown>): void;
}

interface Fetched {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

interface Pushed extends Awaited {
  data: { json(): { title: string; body: string; path: string } };
}

interface Clicked extends Awaited {
  notification: { data: { path: string }; close(): void };
}

interface Tab {
  url: string;
  focused: boolean;
  focus(): Promise<unknown>;
}

declare const self: {
  KEPT: Kept | null;
  registration: {
    scope: string;
    unregister(): Promise<boolean>;
    showNotification(title: string, options: object): Promise<void>;
  };
  clients: {
    claim(): Promise<void>;
    matchAll(options: object): Promise<Tab[]>;
    openWindow(path: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(kind: "install" | "activate", heard: (event: Awaited) => void): void;
  addEventListener(kind: "fetch", heard: (event: Fetched) => void): void;
  addEventListener(kind: "message", heard: (event: MessageEvent<unknown>) => void): void;
  addEventListener(kind: "push", heard: (event: Pushed) => void): void;
  addEventListener(kind: "notificationclick", heard: (event: Clicked) => void): void;
};

// Files that are kept decompressed as well, by the types that they then have.
const OPENED = new Map([
  ["pocket/pyodide.asm.wasm", "application/wasm"],
  ["pocket/pyodide.asm.js", "text/javascript"],
]);
const TOGETHER = 4; // files that are fetched at the same time
const { KEPT } = self;
const { scope } = self.registration;
const ours = `mekuri ${scope} `; // another site of this host has caches of its own
const name = ours + KEPT?.version;
const now = new Map(Object.entries(KEPT?.now ?? {})); // maps, for paths may have the names of an object's members
const digests = new Map([...now, ...Object.entries(KEPT?.later ?? {})]);
const progress = new BroadcastChannel(`mekuri-kept ${scope}`);
let done = 0; // bytes that are kept

async function digest(body: BufferSource): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", body));
  return btoa(String.fromCharCode(...hash.subarray(0, 9)));
}

/** Return the whole body of a response, and tell the tabs how much of all files is kept. */
async function read(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    parts.push(part.value);
    done += part.value.length;
    progress.postMessage({ done, size: KEPT?.size });
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/**
 * Fetch a file, and keep it if it is what the list says: not the file of another version, nor what a proxy or a portal sends instead.
 * `unkept` is called with the error of a browser that cannot keep it, as on a full device.
 */
async function fetched(file: string, unkept: (error: unknown) => void): Promise<Response> {
  // The names of what a server has change with the contents.
  const found = await fetch(new URL(file, scope), { cache: KEPT?.server ? "default" : "no-cache" });
  if (found.status !== 200 || found.redirected || !digests.has(file)) return found;
  const copy = found.clone();
  if ((await digest(await read(copy))) === digests.get(file)) {
    const copied = found.clone();
    const put = async (): Promise<void> => (await caches.open(name)).put(new URL(file, scope), copied);
    await put().catch(unkept);
  }
  return found;
}

const known = async (file: string): Promise<Response | undefined> => (await caches.open(name)).match(new URL(file, scope));

/** Keep a file. Packed files, which are large and seldom change, are taken from the version before. Throws where that fails. */
async function keep(file: string): Promise<void> {
  if (await known(file)) return;
  const before = file.endsWith(".bin") ? await caches.match(new URL(file, scope)) : undefined;
  if (before && (await digest(await read(before.clone()))) === digests.get(file))
    return (await caches.open(name)).put(new URL(file, scope), before);
  await fetched(file, (error) => {
    throw error;
  });
  if (!(await known(file))) throw new Error(`${file} is not what it should be`);
}

async function keepAll(): Promise<void> {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (!KEPT?.server && connection?.saveData) throw new Error("this device saves data");
  const files = now.keys();
  const some = async (): Promise<void> => {
    for (const file of files) await keep(file);
  };
  const ended = await Promise.allSettled(Array.from({ length: TOGETHER }, some));
  const why = ended.find((each) => each.status === "rejected")?.reason;
  if (why instanceof DOMException) await caches.delete(name); // the device is full; after a lost connection the next try goes on
  if (why) throw why;
  await open().catch(() => {});
}

/** Keep Python's program decompressed as well, for the browser keeps the machine code of such files beside them. */
async function open(): Promise<void> {
  for (const [file, type] of OPENED) {
    const body = (await known(`${file}.bin`))?.body?.pipeThrough(new DecompressionStream("gzip"));
    const made = new Response(body, { headers: { "content-type": type } });
    if (body) await (await caches.open(name)).put(new URL(file, scope), made);
  }
}

async function install(): Promise<void> {
  if (!KEPT) await self.skipWaiting();
  // On a server it is needed for notifications, whether files can be kept or not.
  else await keepAll().catch((error: unknown) => (KEPT.server ? undefined : Promise.reject(error)));
}

async function activate(): Promise<void> {
  const all = KEPT ? ours : `mekuri ${scope}`; // in the end, also what is kept below
  for (const each of await caches.keys()) if (each.startsWith(all) && each !== name) await caches.delete(each);
  if (KEPT) return self.clients.claim();
  await caches.delete(`mekuri-snapshot ${new URL(scope).pathname}`);
  await self.registration.unregister();
}

/** Return a page: in a site its one file, and on a server what it sends. */
async function page(request: Request): Promise<Response> {
  if (!KEPT?.server) return (await known("").catch(() => undefined)) ?? fetch(request);
  try {
    return await fetch(request);
  } catch (error) {
    const { pathname, search } = new URL(request.url);
    const offline = `${scope}offline/`;
    const playable = (await caches.keys()).some((each) => each.startsWith(`mekuri ${offline} `));
    // A table is on the server. The copy has all other pages, if it is kept.
    if (playable && !/^\/(t|offline)\//.test(pathname)) return Response.redirect(`${offline}?${pathname}${search}`);
    const kept = await known("index.html");
    if (kept) return kept;
    throw error;
  }
}

/** Return a file of the list. */
async function answer(file: string, request: Request): Promise<Response> {
  const kept = await known(file).catch(() => undefined);
  if (kept) return kept;
  // Texts of games that were never read are left to the worker, which has them too, but later.
  if (file.endsWith(".bin")) return fetched(file, () => {}).catch(() => new Response(null, { status: 204 }));
  return fetched(file, () => {}).catch(() => fetch(request));
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("message", ({ data, ports }) => {
  if (data === "update") void self.skipWaiting();
  if (data === "version") ports[0]?.postMessage(KEPT?.version);
  // Files that a tab has loaded before this worker was there.
  if (Array.isArray(data)) for (const each of data) if (digests.has(each)) void keep(each).catch(() => {});
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (!KEPT || request.method !== "GET" || !request.url.startsWith(scope)) return;
  const file = request.url.slice(scope.length).replace(/[?#].*/, "");
  if (request.mode === "navigate") {
    if (KEPT.server ? !/^api\//.test(file) : file === "") event.respondWith(page(request));
  } else if (digests.has(file) || OPENED.has(file)) event.respondWith(answer(file, request));
});

// --- Notifications, if the page cannot show them itself, as on a phone, or if no page is open ---

const at = (path: string) => (tab: Tab) => new URL(tab.url).pathname === path;
const tabs = (): Promise<Tab[]> => self.clients.matchAll({ type: "window", includeUncontrolled: true });

self.addEventListener("push", (event) => {
  const show = async (): Promise<void> => {
    const { title, body, path } = event.data.json();
    const looking = (await tabs()).some((tab) => tab.focused && at(path)(tab));
    if (!looking)
      await self.registration.showNotification(title, { body, tag: `turn-${path}`, icon: "/icon-192.png", data: { path } });
  };
  event.waitUntil(show());
});
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { path } = event.notification.data;
  const go = async (): Promise<unknown> => {
    const there = (await tabs()).find(at(path));
    return there ? there.focus() : self.clients.openWindow(path);
  };
  event.waitUntil(go());
});
