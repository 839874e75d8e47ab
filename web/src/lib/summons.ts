// Calls a player whose turn it is: by vibration, and by a notification while the page is hidden. Neither mentions the player's cards.

import { say } from "./language.svelte";
import { settings } from "./settings.svelte";

const SHAKE = [80, 60, 80]; // milliseconds: on, off, on
const SHOWN = "turn";

/** Ask the user for permission to notify. Call this only after a press. */
export async function permit(): Promise<boolean> {
  if (!("Notification" in globalThis)) return false;
  if ((await Notification.requestPermission()) !== "granted") return false;
  await navigator.serviceWorker?.register("/sw.js").catch(() => undefined);
  return true;
}

/** Notify the user of a turn at a table of a game. */
export async function summon(game: string, path: string): Promise<void> {
  if (settings.shake && !document.hidden) navigator.vibrate?.(SHAKE); // hidden pages leave it to the notification
  if (!settings.notify || !document.hidden || !("Notification" in globalThis) || Notification.permission !== "granted") return;
  const options = { body: say("table.summons"), tag: `${SHOWN}-${path}`, icon: "/icon-192.png", data: { path } };
  const shaken = settings.shake ? { ...options, vibrate: SHAKE, renotify: true } : options;
  const worker = await navigator.serviceWorker?.getRegistration("/");
  if (worker?.active) {
    await worker.showNotification(game, shaken);
    return;
  }
  const shown = new Notification(game, options);
  shown.onclick = () => {
    globalThis.focus();
    shown.close();
  };
}

/** Close the notification when the player is back. */
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  void navigator.serviceWorker
    ?.getRegistration("/")
    .then((worker) => worker?.getNotifications())
    .then((shown) => shown?.forEach((each) => each.tag.startsWith(SHOWN) && each.close()));
});
