// Oneself on several devices, and what is kept about one. Only the screen about oneself loads this.

import type { Code, Devices, Guest } from "../wire";
import { note, read, send } from "../lib/api";
import { renew } from "../lib/stream";

/** Asked as whoever one is: nobody becomes a guest by it, or another. */
const asked = async <T>(method: string, path: string, body?: object): Promise<T> =>
  read<T>(await send(method, `/api/guests${path}`, body));

export const EXPORT = "/api/guests/export";
export const devices = async (): Promise<Devices["devices"]> => (await asked<Devices>("GET", "/devices")).devices;
export const newCode = (): Promise<Code> => asked("POST", "/code");
export const signOutElsewhere = async (): Promise<Devices["devices"]> => (await asked<Devices>("DELETE", "/devices")).devices;

/** Become whoever showed a code; `replace` gives up who one is here. */
export async function useCode(code: string, replace: boolean): Promise<void> {
  begin((await asked<Guest>("POST", "/devices", { code, replace })).id);
}

/** Be nobody here; `deleted` nowhere else either, and for good. */
export async function leave(deleted: boolean): Promise<void> {
  const answer = await send("DELETE", `/api/guests/${deleted ? "me" : "devices/here"}`);
  if (answer.status !== 401) await read(answer); // whoever is no guest any more has left
  begin("");
}

/** The browser is somebody else now: all that is shown of before is let go. */
function begin(guest: string): void {
  note(guest);
  renew();
  location.replace("/you");
}

/** The code that an address brings along, which is then seen no more. */
export function broughtCode(): string {
  const code = /^#(\d{18})$/.exec(location.hash)?.[1] ?? "";
  if (code) history.replaceState(history.state, "", location.pathname);
  return code;
}

/** What is dark in a drawing of rows of `0` and `1`, as one path. */
export function inked(rows: readonly string[]): string {
  return rows
    .flatMap((row, y) => Array.from(row.matchAll(/1+/g), (run) => `M${run.index} ${y}h${run[0].length}v1h-${run[0].length}z`))
    .join("");
}

/** A code as it is read aloud and typed. */
export const grouped = (code: string): string => code.replace(/(\d{3})(?=\d)/g, "$1 ");
