// What happens at tables, as it happens, over one line that all tabs of a browser share.

import { Line } from "./streamline";
import { Share, type Follower, type Ground } from "./streamshare";

export type { Message } from "./streamline";
export type { Follower, Standing } from "./streamshare";

/**
 * Locks and a channel between the tabs. Where a browser has none, as over plain http, each tab has a line of its own; so it is where
 * storage is forbidden, for then locks are refused when they are asked for.
 */
function ground(): Ground {
  const line: Ground["line"] = (tables, ears) => new Line(tables, ears);
  if (navigator.locks && storage()) return { locks: navigator.locks, channel: new BroadcastChannel("mekuri"), line };
  const alone = { request: async (...args: unknown[]) => (args.at(-1) as () => unknown)() } as Ground["locks"];
  return { locks: alone, channel: { postMessage: () => {}, onmessage: null, close: () => {} }, line };
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

function part(): void {
  share?.leave();
  share = null;
}

/** Follow a table, of which a version may be known already. Gives back how to stop. */
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

/** One has become a guest, or has sat down: the server knows whose a line is by the cookie that it was opened with. */
export function renew(): void {
  share?.renew();
}

/** Look after the line now. `broken`: something has just failed, so that it may be dead. */
export function wake(broken = false): void {
  share?.wake(broken);
}

addEventListener("online", () => wake(true));
addEventListener("offline", () => wake(true));
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") wake();
});

// A page that is put away, to be shown again as it was, must hold no lock that another tab waits for.
addEventListener("pagehide", part);
addEventListener("pageshow", (event) => {
  if (event.persisted && following.size && !share) for (const one of following) one.join(joined());
});
