// Starts the worker beside the page where the browser has kept the files of both. On a first visit the page comes first, and on a
// device that saves data the page decides whether there is a worker.

import { LOCK, saving, startWorker } from "./lead";

if (navigator.serviceWorker?.controller && !saving())
  void navigator.locks?.request(LOCK, {}, () => {
    const worker = startWorker();
    return new Promise((release) => {
      worker.onerror = () => {
        worker.terminate();
        release(null); // the page then starts another one, and says so if that fails too
      };
    });
  });
