// Keeping the page on this device: its service worker and the updates of it, the copy that plays without the server, and what a page
// can still do that does not reach its server. On a server the copy is the site of `mekuri site`, with a service worker of its own.

import { mount } from "svelte";
import { announced } from "../lib/announced.svelte";
import { language } from "../lib/language.svelte";
import { pocket } from "../lib/reach";
import { saving } from "./lead";
import Lines from "./Lines.svelte";

const HOUR = 3_600_000; // milliseconds between two looks for another version, while the page stays open
const DOUBT = 3000; // milliseconds after which a connection counts as lost
const AGAIN = 5000; // milliseconds between two tries to reach the server

const { version, offline, home } = document.documentElement.dataset;

/** The path of the copy that plays without the server. */
export const OFFLINE = "/offline/";

/** Whether the server offers that copy. The copy itself is part of it. */
export const offered = offline !== undefined || home !== undefined;

let update = $state.raw<(() => void) | null>(null);
let adrift = $state(false);
let playable = $state(false);
let share = $state<number | null>(null);

/** How to change to the version that waits; null if there is none. */
export const renewal = (): typeof update => update;

/** Whether the server is out of reach, and if so whether the copy that plays without it is kept. */
export const lost = (): { playable: boolean } | null => (adrift ? { playable } : null);

/** Whether this is that copy. */
export const isCopy = home !== undefined;

// --- The service worker ---

/** Have a service worker keep the page. Do nothing where the server or the browser has none, or the user forbids storage. */
export async function register(script: string): Promise<void> {
  const workers = navigator.serviceWorker;
  if (!version || !workers || !navigator.cookieEnabled) return;
  const first = !workers.controller;
  const found = await workers.register(script).catch(() => undefined);
  if (!found) return;
  const look = async (): Promise<void> => {
    const { waiting } = found;
    if (waiting && (await versionOf(waiting)) !== version) update = () => waiting.postMessage("update");
  };
  found.addEventListener("updatefound", () => found.installing?.addEventListener("statechange", () => void look()));
  void look();
  workers.addEventListener("controllerchange", () => {
    // The user has updated, here or in another tab.
    const { controller } = workers;
    if (controller) void versionOf(controller).then((newer) => newer !== version && location.reload());
  });
  let looked = Date.now();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden || Date.now() - looked < HOUR) return;
    looked = Date.now();
    void found.update().catch(() => {});
  });
  if (!first) return;
  const { scope, active } = await workers.ready;
  active?.postMessage(performance.getEntriesByType("resource").map(({ name }) => name.slice(scope.length)));
}

function versionOf(worker: ServiceWorker): Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  worker.postMessage("version", [port2]);
  return new Promise((resolve) => (port1.onmessage = ({ data }) => resolve(data)));
}

// --- The copy that plays without the server ---

async function copy(): Promise<ServiceWorkerRegistration | undefined> {
  const found = await navigator.serviceWorker?.getRegistration(OFFLINE);
  return found && new URL(found.scope).pathname === OFFLINE ? found : undefined;
}

/** Whether the copy is kept on this device. */
export const isKept = async (): Promise<boolean> => !!(await copy())?.active;

/** The share of the copy that is there, from 0 to 1; null while it is not being kept. */
export const progress = (): number | null => share;

/** Keep the copy. Throws if the browser or the network fails. */
export async function keepCopy(): Promise<void> {
  share = 0;
  const channel = new BroadcastChannel(`mekuri-kept ${location.origin}${OFFLINE}`);
  channel.onmessage = ({ data: { done, size } }: MessageEvent<{ done: number; size: number }>) =>
    (share = Math.min(1, done / size));
  try {
    const found = await navigator.serviceWorker.register(`${OFFLINE}sw.js`);
    const worker = found.installing ?? found.waiting ?? found.active;
    await new Promise<void>((resolve, reject) => {
      const look = (): void => {
        if (worker?.state === "activated") resolve();
        if (worker?.state === "redundant") reject(new Error("the copy cannot be kept"));
      };
      worker?.addEventListener("statechange", look);
      look();
    });
  } finally {
    channel.close();
    share = null;
  }
  void navigator.storage?.persist?.();
}

/** Remove the files of the copy from this device. Matches that were played there stay in the browser's storage. */
export async function removeCopy(): Promise<void> {
  await (await copy())?.unregister();
  await caches.delete(`mekuri-snapshot ${OFFLINE}`);
  for (const each of await caches.keys()) if (each.startsWith(`mekuri ${location.origin}${OFFLINE} `)) await caches.delete(each);
}

// --- Without the server ---

const reachable = (): Promise<boolean> =>
  fetch("/manifest.webmanifest", { method: "HEAD", cache: "no-store" }).then(
    () => true,
    () => false,
  );

let trying = false;

/** Say what can still be done, until the server is back. */
async function drift(): Promise<void> {
  if (trying) return;
  trying = true;
  for (let wait = DOUBT; !(await reachable()); wait = AGAIN) {
    adrift = wait === AGAIN;
    if (adrift) playable = await isKept().catch(() => false);
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
  trying = adrift = false;
}

// --- The line above the page ---

const SETTLING = 300; // milliseconds in which a press may be meant for what was there before

let [line, moved, pressed] = [announced(language()), -SETTLING, 0];

// The line moves a table below it when it appears or goes: a press at that moment would hit something else.
$effect.root(() => {
  $effect(() => {
    const now = announced(language());
    if (now !== line && document.querySelector(".board")) moved = performance.now();
    line = now;
  });
});
addEventListener("pointerdown", ({ timeStamp }) => (pressed = timeStamp), true);
addEventListener(
  "click",
  (click) => {
    if (!click.detail || click.timeStamp < moved || pressed >= moved + SETTLING) return; // a key does not miss
    click.preventDefault();
    click.stopPropagation();
  },
  true,
);

mount(Lines, { target: document.body, anchor: document.body.firstElementChild! });
// A site first starts its worker.
if (!pocket) {
  void register("/sw.js");
  for (const event of ["adrift", "offline"]) addEventListener(event, () => void drift());
  if (!navigator.onLine) void drift();
  addEventListener("appinstalled", () => {
    if (offered && !saving()) void keepCopy().catch(() => {});
  });
}
