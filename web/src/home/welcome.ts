// The parts of the first page for every visitor, newcomers included, as one file to load.

export { lesson } from "../learn/lesson";
export { default as Newcomer } from "./Newcomer.svelte";
export { default as Strip } from "./Strip.svelte";
export { default as TableList } from "./TableList.svelte";
