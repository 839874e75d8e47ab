// Which screen is shown. Addresses are plain: every one can be opened anew, kept, and sent to others.

import { decoded } from "./address";

export interface Place {
  path: string;
  search: URLSearchParams;
  hash: string;
  top: number; // how far down one was here, where one has come back; else 0
}

let place = $state.raw<Place>(read());

function read(top = 0): Place {
  return {
    path: location.pathname,
    search: new URLSearchParams(location.search),
    hash: decoded(location.hash.slice(1)),
    top,
  };
}

/** Where we are. */
export function here(): Place {
  return place;
}

/** Go to an address of the page. `replace` leaves no step back. */
export function go(address: string, replace = false): void {
  if (!replace) history.replaceState({ top: scrollY }, "");
  history[replace ? "replaceState" : "pushState"](null, "", address);
  place = read();
}

addEventListener("popstate", ({ state }: PopStateEvent) => (place = read((state as { top?: number } | null)?.top)));

/** Follow links within the page without loading it anew. Everything a browser does with links otherwise, it still does. */
export function followLinks(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
  if (/^\/(api|assets|cards)\//.test(link.pathname)) return;
  if (link.hash && link.href === location.href) return; // the browser goes to the place on the page
  event.preventDefault();
  if (link.href !== location.href) go(link.href);
}
