// The storage of a page without a server: entries in IndexedDB, all of a write in one transaction.

const VERSION = 1; // of the storage's format; a later one changes entries of an earlier one where the browser asks for the upgrade
const ENTRIES = "entries"; // by their keys, arrays of texts and numbers, the values as JSON

/** The name of the error if a newer version of the site has written the storage, which stays as it is. */
export const NEWER = "VersionError";

/** Open the storage of a site, by the path of the site. Reject where the browser forbids it, and with an error called NEWER. */
export function opened(site: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(`mekuri ${site}`, VERSION);
    asked.onupgradeneeded = () => void asked.result.createObjectStore(ENTRIES);
    asked.onsuccess = () => {
      // Another tab has a newer version of the site, which must not wait for this one.
      asked.result.onversionchange = () => asked.result.close();
      resolve(asked.result);
    };
    asked.onerror = () => reject(asked.error);
  });
}

/** Return all entries, as a JSON array of `[key, value]`. */
export function read(database: IDBDatabase): Promise<string> {
  return new Promise((resolve, reject) => {
    const reading = database.transaction(ENTRIES);
    const keys = reading.objectStore(ENTRIES).getAllKeys();
    const values = reading.objectStore(ENTRIES).getAll() as IDBRequest<string[]>;
    reading.oncomplete = () => resolve(JSON.stringify(keys.result.map((key, index) => [key, values.result[index]])));
    reading.onabort = () => reject(reading.error);
  });
}

/** Store entries, a JSON array of `[key, value]`, all or none of them. A null deletes. Resolve when they are on the disk. */
export function write(database: IDBDatabase, entries: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const writing = database.transaction(ENTRIES, "readwrite", { durability: "strict" });
    for (const [key, value] of JSON.parse(entries) as [IDBValidKey, string | null][]) {
      if (value === null) writing.objectStore(ENTRIES).delete(key);
      else writing.objectStore(ENTRIES).put(value, key);
    }
    writing.oncomplete = () => resolve();
    writing.onabort = () => reject(writing.error ?? new Error("the browser has ended the write"));
  });
}
