import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { me } from "./lib/api";
import { speak } from "./lib/language.svelte";
import { outliveTranslation } from "./lib/translated";

// The browser's offer to install the page waits until a round is over.
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  globalThis.offered = event;
});

const AGAIN = 1000; // milliseconds until the texts are requested again

const target = document.getElementById("app");
if (!target) throw new Error("index.html has no place for the page");
// The first screen is rendered after its texts are loaded, so nothing moves when they arrive.
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
// A guest's cookie lasts for a year from its last renewal, so every visit renews it.
void Promise.allSettled([me()]);
// It keeps the page on this device.
void import("./pocket/keeping.svelte").catch(() => {});
