// The snapshot of the interpreter that a browser keeps between visits, so that a page without a server starts within a second or two.
//
// It is made before any secret exists. It depends on the files of the site and on the browser, and may be lost at any time. It is not
// compressed, for a start would take a fifth of a second longer.

declare const BUILD: string; // the digest of the site's files, which `mekuri site` writes before the worker

const PATIENCE = 3_000; // milliseconds after the start in which the worker has better things to do than to keep a snapshot

export interface Snapshots {
  /** Return the snapshot; undefined where there is none. Reject where it is damaged. */
  load(): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Keep a snapshot, and delete all others. */
  keep(snapshot: Uint8Array<ArrayBuffer>): void;
  /** The worker is up: the snapshot has done no harm. */
  started(): Promise<unknown>;
  delete(): Promise<unknown>;
}

/** Open the snapshots of a site, by the path of the site. Return undefined where the browser keeps none. */
export async function snapshots(site: string): Promise<Snapshots | undefined> {
  const cache = await globalThis.caches?.open(`mekuri-snapshot ${site}`).catch(() => undefined);
  if (!cache) return undefined;
  const address = (name: string): string =>
    new URL(`${name}?${BUILD}&${encodeURIComponent(navigator.userAgent)}`, location.href).href;
  const snapshot = address("snapshot");
  const trying = address("trying"); // is there from the use of a snapshot until the worker is up
  const forget = async (): Promise<void> => {
    for (const each of await cache.keys()) await cache.delete(each);
  };
  const keep = async (made: Uint8Array<ArrayBuffer>): Promise<void> => {
    await forget();
    await cache.put(snapshot, new Response(made));
  };
  return {
    async load() {
      const kept = await cache.match(snapshot);
      if (!kept) return undefined;
      if (await cache.match(trying)) throw new Error("the last start from this snapshot has not come to its end");
      await cache.put(trying, new Response());
      const body = await kept.blob();
      const made = new Uint8Array(body.size); // it can be freed at once; what `arrayBuffer` returns stays until it is collected
      const reader = body.stream().getReader();
      let at = 0;
      for (let part = await reader.read(); part.value; part = await reader.read()) {
        made.set(part.value, at);
        at += part.value.length;
      }
      return made;
    },
    keep: (made) => void setTimeout(() => keep(made).catch(() => {}), PATIENCE),
    started: () => cache.delete(trying),
    delete: forget,
  };
}
