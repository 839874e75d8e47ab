// Which screen is shown. Addresses are plain: every one can be opened anew, kept, and sent to others.

import { decoded } from "./address";

export interface Place {
  path: string;
  search: URLSearchParams;
  hash: string;
  top: number; // how far down one was here, where one has come back; else 0
}

/** What the history keeps of a step. */
type State = { top?: number; covers?: number } | null;

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

// What lies over the screen, such as a sheet or a menu: how each is put away, the topmost last. Each has a step of the history, so that
// the step back puts it away. A step whose sheet was put away otherwise stays until one goes on, or is passed over on the way back.
const over: (() => void)[] = [];
const covers = (state: State): number => state?.covers ?? 0;
let steps = covers(history.state as State); // of the history that only what lies over the screen has made
let shown = location.href;

/** Let the step back put away what lies over the screen. Gives back how to say that it is gone. */
export function cover(close: () => void): () => void {
  if (over.push(close) > steps) {
    history.replaceState({ ...history.state, top: scrollY }, "");
    history.pushState({ covers: ++steps }, "");
  }
  return () => {
    if (over.includes(close)) over.splice(over.indexOf(close), 1);
  };
}

/** Go to an address of the page. `replace` leaves no step back. */
export function go(address: string, replace = false): void {
  const same = replace && steps > 0; // the sheet stays over it
  if (!replace && !steps) history.replaceState({ top: scrollY }, "");
  history[replace || steps ? "replaceState" : "pushState"](same ? history.state : null, "", address);
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
  if (steps >= before || location.pathname !== place.path) return arrive((state as State)?.top);
  if (over.length <= steps) return history.back();
  history.replaceState(state, "", shown); // the screen is where it has gone meanwhile
  for (const close of over.splice(steps).reverse()) close();
});

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
