// The service worker of a page without a server: it keeps all files of the site, so that the page opens without a network.
//
// `mekuri site` writes the names of the files and a digest of them all before this script, so another version of the site has another
// service worker. It waits until no tab of the version before is open, so no tab gets parts of two versions.

export {};

interface Awaited {
  waitUntil(work: Promise<unknown>): void;
}

interface Fetched {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

declare const self: {
  SITE: { digest: string; files: string[] };
  registration: { scope: string };
  clients: { claim(): Promise<void> };
  addEventListener(kind: "install" | "activate", heard: (event: Awaited) => void): void;
  addEventListener(kind: "fetch", heard: (event: Fetched) => void): void;
};

const { scope } = self.registration;
const ours = `mekuri ${scope} `; // another site of this host has caches of its own
const name = ours + self.SITE.digest;
const request = (file: string): Request => new Request(new URL(file, scope), { cache: "no-cache" });

async function keep(): Promise<void> {
  await (await caches.open(name)).addAll(self.SITE.files.map(request));
}

async function forget(): Promise<void> {
  for (const each of await caches.keys()) if (each.startsWith(ours) && each !== name) await caches.delete(each);
  await self.clients.claim();
}

async function answer(asked: Request): Promise<Response> {
  const file = new URL(asked.url.split("?")[0] === scope ? "index.html" : asked.url, scope);
  const kept = await caches.open(name);
  const known = await kept.match(file, { ignoreSearch: true });
  if (known) return known;
  if (!asked.url.startsWith(`${scope}pocket/api/`)) return fetch(asked);
  // The texts of a game are kept once they are read. Without a network, others are left to the worker, which has them too, but later.
  const found = await fetch(asked).catch(() => new Response(null, { status: 204 }));
  if (found.status === 200) await kept.put(asked.url, found.clone()).catch(() => {});
  return found;
}

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(forget()));
self.addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(scope)) event.respondWith(answer(event.request));
});
