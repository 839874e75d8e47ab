// What happens at tables, as it happens, over one line that all tabs of a browser share.

import { Line } from "./streamline";
import { Share, type Follower, type Ground, type Locks } from "./streamshare";

export type { Message } from "./streamline";
export type { Follower, Standing } from "./streamshare";

// Where a browser has neither locks nor a channel, or forbids them as it forbids storage, each tab has a line of its own. It may have
// no more than six of them: a tab that nobody looks at lets go of its line.
let alone = false;

const granted: Locks["request"] = async (_name, _how, run) => run();

/** Locks and a channel between the tabs. Over plain http a browser has no locks, and the tabs agree over a channel. */
function ground(): Ground {
  const line: Ground["line"] = (tables, ears) => new Line(tables, ears);
  try {
    const channel = new BroadcastChannel("mekuri");
    if (navigator.locks && storage()) return { locks: navigator.locks, channel, line };
    const made = import("./locks").then(({ Locks }) => new Locks());
    const request: Locks["request"] = async (...asked) => (await made.catch(() => ({ request: granted }))).request(...asked);
    return { locks: { request }, channel, line };
  } catch {
    alone = true;
    return { locks: { request: granted }, channel: { postMessage: () => {}, onmessage: null, close: () => {} }, line };
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
  if (document.visibilityState === "visible") {
    rejoin();
    wake();
  } else if (alone) part();
});

// A page that is put away, to be shown again as it was, must hold no lock that another tab waits for.
addEventListener("pagehide", part);
addEventListener("pageshow", (event) => event.persisted && rejoin());
