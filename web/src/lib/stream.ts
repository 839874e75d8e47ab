// Events of tables in real time, over one stream that all tabs of a browser share.

import { pocket } from "./reach";
import { Line } from "./streamline";
import { Share, type Follower, type Ground, type Locks } from "./streamshare";

export type { Message } from "./streamline";
export type { Follower, Standing } from "./streamshare";

// Without locks or a channel, which the browser may lack or forbid like storage, each tab has a stream of its own. A browser
// opens at most six of them, so a tab in the background closes its stream.
let alone = false;

const granted: Locks["request"] = async (_name, _how, run) => run();

/** Locks and a channel between the tabs. Over plain http a browser has no locks, so the tabs agree over a channel. */
function ground(): Ground {
  const line: Ground["line"] = (tables, ears) => new Line(tables, ears);
  const none = { locks: { request: granted }, channel: { postMessage: () => {}, onmessage: null, close: () => {} }, line };
  if (pocket) return none; // all tabs ask one worker, each for the person who looks at it
  try {
    const channel = new BroadcastChannel("mekuri");
    if (navigator.locks && storage()) return { locks: navigator.locks, channel, line };
    const made = import("./locks").then(({ Locks }) => new Locks());
    const request: Locks["request"] = async (...asked) => (await made.catch(() => ({ request: granted }))).request(...asked);
    return { locks: { request }, channel, line };
  } catch {
    alone = true;
    return none;
  }
}

function storage(): boolean {
  try {
    return !!localStorage;
  } catch {
    return false;
  }
}

const following = new Set<{ join(share: Share): void }>();
let share: Share | null = null;

function joined(): Share {
  share ??= new Share(ground());
  return share;
}

function rejoin(): void {
  if (!share) for (const one of following) one.join(joined());
}

function part(): void {
  share?.leave();
  share = null;
}

/** Follow a table, from `version` if it is known. Return a function that stops. */
export function follow(table: string, version: () => number | null, follower: Follower): () => void {
  let stop = (): void => {};
  const one = { join: (share: Share): void => void (stop = share.follow(table, version, follower)) };
  following.add(one);
  one.join(joined());
  return () => {
    following.delete(one);
    stop();
    if (!following.size) part();
  };
}

/** Reconnect after becoming a guest or sitting down: the server knows the viewer by the cookie with which the stream was opened. */
export function renew(): void {
  share?.renew();
}

/** Check the stream now. `broken`: a request has just failed, so it may be dead. */
export function wake(broken = false): void {
  share?.wake(broken);
}

addEventListener("online", () => wake(true));
addEventListener("offline", () => wake(true));
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") {
    rejoin();
    wake();
  } else if (alone) part();
});

// A page in the back-forward cache must not hold a lock that another tab waits for.
addEventListener("pagehide", part);
addEventListener("pageshow", (event) => event.persisted && rejoin());
