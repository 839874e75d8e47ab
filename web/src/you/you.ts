// The user's devices and stored data. Only the screen of the account loads this module.

import type { Code, Devices, Guest } from "../wire";
import { note, read, send } from "../lib/api";
import { addressOf, pocket } from "../lib/reach";
import { renew } from "../lib/stream";

/** Send a request as the present guest, without becoming another one. */
const asked = async <T>(method: string, path: string, body?: object): Promise<T> =>
  read<T>(await send(method, `/api/guests${path}`, body));

export const EXPORT = "/api/guests/export";
export const devices = async (): Promise<Devices["devices"]> => (await asked<Devices>("GET", "/devices")).devices;
export const newCode = (): Promise<Code> => asked("POST", "/code");
export const signOutElsewhere = async (): Promise<Devices["devices"]> => (await asked<Devices>("DELETE", "/devices")).devices;

/** Become the guest who showed a code; `replace` gives up the present one. */
export async function useCode(code: string, replace: boolean): Promise<void> {
  begin((await asked<Guest>("POST", "/devices", { code, replace })).id);
}

/** Sign out here; with `deleted`, delete the guest everywhere, for good. */
export async function leave(deleted: boolean): Promise<void> {
  // The other people who use this screen go with the first.
  if (pocket && deleted) while ((await send("DELETE", "/api/guests/me", undefined, { "mekuri-player": "2" })).ok);
  const answer = await send("DELETE", `/api/guests/${deleted ? "me" : "devices/here"}`);
  if (answer.status !== 401) await read(answer); // a visitor who is no guest has signed out already
  begin("");
}

/** The browser has another guest now: drop everything that was shown before. */
function begin(guest: string): void {
  note(guest);
  renew();
  location.replace(addressOf("/you"));
}

/** Return the code in the address, and remove it from there. */
export function broughtCode(): string {
  const code = /^#(\d{18})$/.exec(location.hash)?.[1] ?? "";
  if (code) history.replaceState(history.state, "", location.pathname);
  return code;
}

/** Return the dark parts of a drawing of rows of `0` and `1`, as one path. */
export function inked(rows: readonly string[]): string {
  return rows
    .flatMap((row, y) => Array.from(row.matchAll(/1+/g), (run) => `M${run.index} ${y}h${run[0].length}v1h-${run[0].length}z`))
    .join("");
}

/** Format a code to be read aloud and typed. */
export const grouped = (code: string): string => code.replace(/(\d{3})(?=\d)/g, "$1 ");
