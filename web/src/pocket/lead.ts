// The worker of a page without a server: all tabs share one. The tab that has the lock has the worker until it is closed.

export const site = new URL(".", location.href);
export const LOCK = `mekuri-pocket ${site.pathname}`;
export const startWorker = (): Worker => new Worker(new URL("pocket/worker.js", site), { type: "module" });
