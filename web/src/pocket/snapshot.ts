// The snapshot of the interpreter that a browser keeps between visits, so that a page without a server starts within a second or two.
//
// It is made before any secret exists. It depends on the files of the site and on the browser, and may be lost at any time. It is not
// compressed, for a start would take a fifth of a second longer.

declare const BUILD: string; // the digest of the site's files, which `mekuri site` writes before the worker

const PATIENCE = 3_000; // milliseconds after the start in which the worker has better things to do than to keep a snapshot

const PAGE = 4_096; // bytes of a page of zeros that is left out

/** A memory, in a browser from 2024 on. */
interface Movable {
  transfer?(bytes: number): unknown;
}

/** A snapshot whose memory is written by itself. */
export interface Snapshot {
  /** It begins as Pyodide's own, and has no memory. Pyodide asks it for its memory once, which then is written. */
  head: Uint8Array<ArrayBuffer>;
  /** Bytes of the memory. */
  size: number;
  /** The memory to write into, which is new and large enough. */
  into?: WebAssembly.Memory;
}

export interface Snapshots {
  /** Return the snapshot; undefined where there is none. Reject where it is damaged. */
  load(): Promise<Snapshot | undefined>;
  /** Keep a snapshot, and delete all others. */
  keep(snapshot: Uint8Array<ArrayBuffer>): void;
  /** The worker is up: the snapshot has done no harm. */
  started(): Promise<unknown>;
  delete(): Promise<unknown>;
}

/** Free the memory of an array at once, which would stay until it is collected. */
const release = (array: Uint8Array<ArrayBuffer>): unknown => (array.buffer as Movable).transfer?.(0);

const empty = (words: Uint32Array): boolean => {
  for (let at = 0; at < words.length; at++) if (words[at]) return false;
  return true;
};

/** Pack a snapshot of Pyodide. The empty pages of its memory are a third of it: they need no room, here and in a new memory. */
function pack(made: Uint8Array<ArrayBuffer>): Blob {
  const start = new Uint32Array(made.buffer)[1]!; // of its memory
  const parts: [number, number][] = [];
  for (let at = start; at < made.length; at += PAGE) {
    if (empty(new Uint32Array(made.buffer, at, PAGE / 4))) continue;
    const last = parts.at(-1);
    if (last?.[1] === at - start) last[1] += PAGE;
    else parts.push([at - start, at - start + PAGE]);
  }
  const about = new Uint32Array([parts.length, start, made.length - start, ...parts.flat()]);
  return new Blob([about, made.subarray(0, start), ...parts.map(([from, to]) => made.subarray(start + from, start + to))]);
}

/** Throws where it is damaged. */
function unpack(kept: Uint8Array<ArrayBuffer>): Snapshot {
  const [count, start, size] = new Uint32Array(kept.buffer, 0, 3) as unknown as [number, number, number];
  const edges = new Uint32Array(kept.buffer, 12, 2 * count);
  const first = 12 + edges.byteLength + start; // where the parts begin
  const length = edges.reduce((sum, edge, at) => (at % 2 ? sum + edge : sum - edge), first);
  if (!start || length !== kept.length) throw new Error("the snapshot is damaged");
  const head = kept.slice(first - start, first);
  const made: Snapshot = { head, size };
  const usual = head.subarray.bind(head);
  const write = (memory: ArrayBuffer): void => {
    let at = first;
    let before = 0;
    for (let part = 0; part <= count; part++) {
      const [from, to] = part < count ? [edges[2 * part]!, edges[2 * part + 1]!] : [size, size];
      for (; before < from; before += PAGE) {
        const page = new Uint32Array(memory, before, PAGE / 4);
        if (!empty(page)) page.fill(0); // a page that nobody has touched needs no room
      }
      new Uint8Array(memory, from).set(kept.subarray(at, (at += to - from)));
      before = to;
    }
    release(kept);
  };
  head.subarray = (from, to) => {
    if (to !== undefined) return usual(from, to);
    write(made.into!.buffer as ArrayBuffer); // without a memory the start fails, and is then a cold one
    return new Uint8Array(); // nothing is left to write
  };
  return made;
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
  const put = async (packed: Blob): Promise<void> => {
    await forget();
    await cache.put(snapshot, new Response(packed));
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
      return unpack(made);
    },
    keep(made) {
      const packed = pack(made);
      release(made);
      setTimeout(() => put(packed).catch(() => {}), PATIENCE);
    },
    started: () => cache.delete(trying),
    delete: forget,
  };
}
