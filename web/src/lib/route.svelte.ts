// The current screen. Addresses are plain: each can be reloaded, bookmarked and shared.

import { decoded } from "./address";
import { addressOf, pathOf } from "./reach";

export interface Place {
  path: string;
  search: URLSearchParams;
  hash: string;
  top: number; // the scroll position to restore after a step back; else 0
}

/** The state of a history entry. */
type State = { top?: number; covers?: number } | null;

let place = $state.raw<Place>(read());

function read(top = 0): Place {
  const { pathname, search, hash } = pathOf(location);
  return { path: pathname, search: new URLSearchParams(search), hash: decoded(hash.slice(1)), top };
}

/** The current route. */
export function here(): Place {
  return place;
}

// How to close each overlay on the screen, such as a sheet or a menu, topmost last. Each has a history entry, so that going
// back closes it. The entry of a sheet that was closed otherwise stays until the next navigation, or is skipped on the way back.
const over: (() => void)[] = [];
const covers = (state: State): number => state?.covers ?? 0;
let steps = covers(history.state as State); // history entries that only overlays have made
let shown = location.href;

/** Let a step back close an overlay. Return a function to call when it is closed. */
export function cover(close: () => void): () => void {
  if (over.push(close) > steps) {
    history.replaceState({ ...history.state, top: scrollY }, "");
    history.pushState({ covers: ++steps }, "");
  }
  return () => {
    if (over.includes(close)) over.splice(over.indexOf(close), 1);
  };
}

/** Go to an address of the page. `replace` adds no history entry. */
export function go(address: string, replace = false): void {
  const same = replace && steps > 0; // the sheet stays above it
  if (!replace && !steps) history.replaceState({ top: scrollY }, "");
  history[replace || steps ? "replaceState" : "pushState"](same ? history.state : null, "", addressOf(address));
  if (!same) steps = 0;
  arrive();
}

function arrive(top?: number): void {
  const { path } = place;
  place = read(top);
  if (place.path !== path) over.length = 0;
  shown = location.href;
}

addEventListener("popstate", ({ state }: PopStateEvent) => {
  const before = steps;
  steps = covers(state as State);
  if (steps >= before || pathOf(location).pathname !== place.path) return arrive((state as State)?.top);
  if (over.length <= steps) return history.back();
  history.replaceState(state, "", shown); // the screen stays where it has moved meanwhile
  for (const close of over.splice(steps).reverse()) close();
});

/** Follow links within the page without a reload. Leave every other use of links to the browser. */
export function followLinks(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
  if (/^\/(api|assets|cards)\//.test(link.pathname)) return;
  if (link.hash && link.href === location.href) return; // the browser scrolls to the hash
  event.preventDefault();
  if (link.href !== location.href) go(link.href);
}
