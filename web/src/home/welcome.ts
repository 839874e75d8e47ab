// What the first page shows to everybody, newcomers too, in one file to load.

export { lesson } from "../learn/lesson";
export { default as Newcomer } from "./Newcomer.svelte";
export { default as TableList } from "./TableList.svelte";
