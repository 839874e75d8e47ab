// The parts of the first page for returning players, as one file to load.

export { sums } from "../matches/played";
export { default as Again } from "./Again.svelte";
export { default as Back } from "./Back.svelte";
export { default as Beaten } from "./Beaten.svelte";
export { default as Today } from "./Today.svelte";
