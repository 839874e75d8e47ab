import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { speak } from "./lib/language.svelte";

const target = document.getElementById("app");
if (!target) throw new Error("index.html has no place for the page");
// No screen is drawn before its words are there: nothing then moves when they come.
await speak();
mount(App, { target });
