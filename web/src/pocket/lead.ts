// The worker of a page without a server: all tabs share one. The tab that has the lock has the worker until it is closed.

export const site = new URL(".", location.href);
export const LOCK = `mekuri-pocket ${site.pathname}`;
export const startWorker = (): Worker => new Worker(new URL("pocket/worker.js", site), { type: "module" });

/** Whether the browser saves data: then nothing large is fetched for later. */
export const saving = (): boolean => !!(navigator as { connection?: { saveData?: boolean } }).connection?.saveData;
