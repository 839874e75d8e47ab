// Starts the worker beside the page where the browser has kept the files of both. On a first visit the page comes first.

import { LOCK, startWorker } from "./lead";

if (navigator.serviceWorker?.controller)
  void navigator.locks?.request(LOCK, {}, () => {
    const worker = startWorker();
    return new Promise((release) => {
      worker.onerror = () => {
        worker.terminate();
        release(null); // the page then starts another one, and says so if that fails too
      };
    });
  });
