// Notifications by the browser's push service when it is the user's turn, also while no page is open.

import { api, isGuest } from "../lib/api";
import { language } from "../lib/language.svelte";
import type { AskPush, TurnNews } from "../wire";

const PATH = "/api/push";

/** Return whether this browser supports notifications while no page is open. */
export const able = (): boolean =>
  "version" in document.documentElement.dataset && // else the server has its service worker unregister itself
  "serviceWorker" in navigator &&
  "PushManager" in globalThis &&
  "Notification" in globalThis;

/** Return how the server can notify people; null if it is unreachable. */
export async function news(): Promise<TurnNews | null> {
  return api<TurnNews>("GET", PATH).catch(() => null);
}

/** Subscribe this device to notifications of turns. Call this only after a press. */
export async function subscribe(key: string): Promise<boolean> {
  if (!able() || (await Notification.requestPermission()) !== "granted") return false;
  await navigator.serviceWorker.register("/sw.js");
  const worker = await navigator.serviceWorker.ready;
  const before = await worker.pushManager.getSubscription();
  await before?.unsubscribe(); // it may have been made with the key of another server
  const made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
  const { endpoint, keys } = made.toJSON();
  const asked: AskPush = {
    endpoint: endpoint ?? "",
    p256dh: keys?.["p256dh"] ?? "",
    auth: keys?.["auth"] ?? "",
    lang: language() === "ja" ? "ja" : "en",
  };
  try {
    await api("POST", PATH, asked);
  } catch (error) {
    await made.unsubscribe();
    throw error;
  }
  return true;
}

/** Unsubscribe this device. */
export async function unsubscribe(): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration("/");
  await (await worker?.pushManager?.getSubscription())?.unsubscribe();
  if (isGuest()) await api("DELETE", PATH);
}

/** Return the bytes of a text in URL-safe base64. */
function bytes(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (sign) => sign.charCodeAt(0));
}
