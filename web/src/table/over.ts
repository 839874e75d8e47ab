// The panels over a table, as one part that is loaded after the table is rendered.

export { again } from "./again";
export { default as Away } from "./Away.svelte";
export { default as Moment } from "./Moment.svelte";
