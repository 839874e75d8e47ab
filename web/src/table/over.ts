// What lies over a table at times, in one part: it is loaded when the table stands.

export { again } from "./again";
export { default as Away } from "./Away.svelte";
export { default as Moment } from "./Moment.svelte";
