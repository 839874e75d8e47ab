import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { me } from "./lib/api";
import { speak } from "./lib/language.svelte";
import { outliveTranslation } from "./lib/translated";

const AGAIN = 1000; // milliseconds after which the words are asked for again

const target = document.getElementById("app");
if (!target) throw new Error("index.html has no place for the page");
// No screen is drawn before its words are there: nothing then moves when they come.
for (let spoken = false; !spoken;) {
  try {
    await speak();
    spoken = true;
  } catch {
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
  }
}
outliveTranslation(target);
mount(App, { target });
// A guest's cookie lasts for a year from the last time it was asked for, whatever screen one comes to.
void Promise.allSettled([me()]);
