// The way to the desk: over the network, or in a site without a server through the worker of the page.

/** Whether this is a page without a server. `mekuri site` marks it. */
export const pocket = "pocket" in (globalThis.document?.documentElement?.dataset ?? {});

/** Return the name of something that a page without a server does not share with the server of its host, or with another such page. */
export const apart = (name: string): string => (pocket ? `${name} ${location.pathname}` : name);

/** Like `fetch`, for a path of the API. */
export async function reach(path: string, request: RequestInit): Promise<Response> {
  if (pocket) return (await import("../pocket/reach")).ask(path, request);
  return fetch(path, request).catch((error: unknown) => {
    dispatchEvent(new Event("adrift")); // the page then says what it can still do
    throw error;
  });
}

/** Return the screen of a table in a page without a server. */
export const shared = async () => (await import("../pocket/reach")).shared();

/** Return the address of a path of the page. Without a server only the folder of the page can be reloaded. */
export const addressOf = (path: string): string => (pocket && path[0] === "/" ? `?${path}` : path);

/** Return the present path of the page, its search and its hash, as they are with a server. */
export function pathOf({ search, hash, href }: Location): Pick<Location, "pathname" | "search" | "hash"> {
  return pocket ? new URL((search[1] === "/" ? search.slice(1) : "/") + hash, href) : location;
}
