// The browser's offer to install the page as an app, held back until a round is over. Only some browsers make one.

import { keep, kept } from "../lib/kept";

interface Offer extends Event {
  prompt(): Promise<unknown>;
}

declare global {
  var offered: Event | undefined; // the offer that came before this part was loaded; `main.ts` holds it
}

const EVENT = "beforeinstallprompt";
const KEY = "mekuri-install";

let offer = $state.raw(globalThis.offered);
addEventListener(EVENT, (event) => (offer = event));

/** Whether the page can be installed, and the user has not declined. */
export const installable = (): boolean => !!offer && !kept(KEY)["declined"];

/** Have the browser ask whether to install the page. Call this only after a press. The browser asks once for an offer. */
export function install(): void {
  void (offer as Offer).prompt();
  offer = undefined;
}

/** Decline for good. */
export function decline(): void {
  keep(KEY, { declined: true });
  offer = undefined;
}
