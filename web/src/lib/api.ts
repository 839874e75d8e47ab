// Requests to the server. docs/view.md describes the messages; `wire.d.ts` is generated from it.

import type {
  Answer,
  AskTable,
  Catalogue,
  Events,
  GameInfo,
  Games,
  Guest,
  Notice,
  Problem,
  Replay,
  RuleBook,
  Table,
  Tables,
  Worths,
} from "../wire";
import { apart, pocket, reach } from "./reach";
import { note as noteTime } from "./time";
import { API, heed } from "./version.svelte";

/** The server refuses a request, with its reason. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(problem.message);
  }
}

/** The server is unreachable, or its answer is malformed. */
export class Unreachable extends Error {}

const PATIENCE = 30_000; // milliseconds until a request counts as lost, for example after a change of network

export { ask as api };

type Headers = Record<string, string>;

async function ask<T>(method: "GET" | "POST" | "DELETE", path: string, body?: object, headers?: Headers): Promise<T> {
  // An action needs a guest's place. Looking needs none and creates none.
  const acts = method !== "GET";
  if (acts && !isGuest()) await becomeGuest();
  let answer = await send(method, path, body, headers);
  if (acts && answer.status === 401) {
    // The place is deleted, or belongs to another server that was at this address.
    await becomeGuest();
    answer = await send(method, path, body, headers);
  }
  return read<T>(answer);
}

export async function send(method: string, path: string, body?: object, headers?: Headers): Promise<Response> {
  const request: RequestInit = { method, headers: { ...API, ...(body && { "content-type": "application/json" }), ...headers } };
  if (body) request.body = JSON.stringify(body);
  if (method !== "GET") request.signal = AbortSignal.timeout(PATIENCE);
  try {
    const answer = await reach(path, request);
    heed(answer.status);
    noteTime(answer);
    return answer;
  } catch (error) {
    throw new Unreachable(path, { cause: error });
  }
}

export async function read<T>(answer: Response): Promise<T> {
  let body: unknown;
  try {
    body = await answer.json();
  } catch (error) {
    throw new Unreachable(answer.url, { cause: error });
  }
  if (answer.ok) return body as T;
  if (typeof body === "object" && body !== null && "error" in body) {
    arrived ||= body.error === "guest-gone"; // the page about the player then checks, and offers to start anew
    throw new Refused(answer.status, body as Problem);
  }
  throw new Unreachable(answer.url);
}

const table = (id: string): string => `/api/tables/${encodeURIComponent(id)}`;

// The identity is in a cookie that no script can read; this mark only records that there is one.
const GUEST = apart("mekuri-guest");
let arrived = false; // without storage, the mark lasts as long as the tab
let arriving: Promise<Guest> | null = null; // one guest's place for all simultaneous requests

/** Return whether this browser has a guest's place, as far as it knows. */
export function isGuest(): boolean {
  try {
    return arrived || localStorage.getItem(GUEST) !== null;
  } catch {
    return arrived;
  }
}

/** Become a guest, or return the present one. If cookies are blocked, the server refuses. */
export function becomeGuest(): Promise<Guest> {
  arriving ??= (pocket || keepsCookies() ? send("POST", "/api/guests", {}) : send("GET", "/api/guests/me"))
    .then(read<Guest>)
    .then((guest) => {
      note(guest.id);
      return guest;
    })
    .finally(() => (arriving = null));
  return arriving;
}

/** Return whether the browser keeps cookies. Chromium's `navigator.cookieEnabled` is true even if they are blocked. */
function keepsCookies(): boolean {
  document.cookie = "mekuri-try=1";
  const kept = document.cookie !== "";
  document.cookie = "mekuri-try=;max-age=0";
  return kept;
}

/** Note which guest this browser is now; an empty text for none. */
export function note(guest: string): void {
  arrived = guest !== "";
  try {
    if (guest) localStorage.setItem(GUEST, guest);
    else localStorage.removeItem(GUEST);
  } catch {
    // Then a later tab asks again.
  }
}

/** Return the guest; null without a guest's place. */
export async function me(): Promise<Guest | null> {
  return isGuest() ? ask<Guest>("GET", "/api/guests/me") : null;
}

export const takeName = (name: string): Promise<Guest> => ask("POST", "/api/guests", { name });

export const notice = (): Promise<Notice> => ask("GET", "/api/notice");
/** Make a table. A repeated request with the same key makes no second table. */
export const makeTable = (asked: AskTable, key: string): Promise<Table> =>
  ask("POST", "/api/tables", asked, { "idempotency-key": key });
export const tables = (): Promise<Tables> => ask("GET", "/api/tables");
export const showTable = (id: string): Promise<Table> => ask("GET", table(id));
export const sit = (id: string, cut: string, seat: number | null = null): Promise<Table> =>
  ask("POST", `${table(id)}/seat`, { cut, seat });
export const leave = (id: string): Promise<Table> => ask("DELETE", `${table(id)}/seat`);
export const free = (id: string, seat: number, version: number, keep_out: boolean): Promise<Table> =>
  ask("POST", `${table(id)}/free`, { seat, version, keep_out });
export const play = (id: string, version: number, action: string): Promise<Answer> =>
  ask("POST", `${table(id)}/actions`, { version, action });
export const ready = (id: string, round: number, enough?: boolean): Promise<Table> =>
  ask("POST", `${table(id)}/ready`, { round, enough });
export const say = (id: string, version: number, said: string): Promise<Table> =>
  ask("POST", `${table(id)}/say`, { version, said });
export const rematch = (id: string): Promise<Table> => ask("POST", `${table(id)}/rematch`);
export const events = (id: string, since: number): Promise<Events> => ask("GET", `${table(id)}/events?since=${since}`);
export const replay = (id: string, round: number, seat: number | null): Promise<Replay> =>
  ask("GET", `${table(id)}/rounds/${round}${seat === null ? "" : `?seat=${seat}`}`);
export const worths = (id: string): Promise<Worths> => once(`${table(id)}/cards`);
export const recordAddress = (id: string): string => `${table(id)}/record`;

// Request data that stays the same while the page is open once. Retry after an error.
const kept = new Map<string, Promise<unknown>>();

export function once<T>(path: string): Promise<T> {
  const known = kept.get(path) as Promise<T> | undefined;
  if (known) return known;
  const asked = ask<T>("GET", path);
  kept.set(path, asked);
  asked.catch(() => kept.delete(path));
  return asked;
}

/** Return all games and bots, without the details for choosing options and opponents, which `game` has. */
export const games = (): Promise<Games> => once("/api/games?brief=true");
export const catalogue = (game: string, lang: string): Promise<Catalogue> => written(game, "texts", lang);
export const ruleBook = (game: string, lang: string): Promise<RuleBook> => written(game, "rules", lang);

/** Return a game's catalogue in a language, or in the server's first language if it lacks that one. */
async function written<T>(game: string, what: "texts" | "rules", lang: string): Promise<T> {
  const { languages } = await games();
  return once(`/api/games/${game}/${what}/${languages.includes(lang) ? lang : languages[0]}`);
}

/** Return a game by its name; undefined if the server does not have it. */
export function game(name: string): Promise<GameInfo | undefined> {
  return once<GameInfo>(`/api/games/${encodeURIComponent(name)}`).catch((error) => {
    if (error instanceof Refused && error.status === 404) return undefined;
    throw error;
  });
}
