// The parts of a table that are loaded together, when there is time, as one file to load.

export { default as CardInfo } from "./CardInfo.svelte";
export { default as Decision } from "./Decision.svelte";
export { default as House } from "./House.svelte";
export { default as KeysHelp } from "./KeysHelp.svelte";
export { default as Meanings } from "./Meanings.svelte";
export { default as Panel } from "./Panel.svelte";
export { default as Panels } from "./Panels.svelte";
export { default as Result, Wish } from "./Result.svelte";
export { default as Said } from "./Said.svelte";
export { default as Slow } from "./Slow.svelte";
export { default as Spread } from "./Spread.svelte";
