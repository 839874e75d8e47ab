// The people who share the screen of a page without a server.

/** The number of the person who asks, from 1; 0 is a spectator. */
export const asking = { player: 1 };

/** Return the header of a request of one of them. */
export const as = (player: number): Record<string, string> => ({ "mekuri-player": `${player}` });
