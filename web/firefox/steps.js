// Steps in Firefox, driven over WebDriver BiDi: node firefox/steps.js FIREFOX < ASKED
//
// ASKED is one JSON: `prefs`, settings of Firefox, and `stories` by their names, which each begin with nothing stored. A story is a list of steps [TAB, KIND, ...]: `before`
// SCRIPT, which stands before the scripts of each page; `go` ADDRESS; `back`; `close`; `press` KEY; `click` SELECTOR; `fill` SELECTOR TEXT; `wait` SELECTOR;
// `until` FUNCTION ARGUMENT, which is to give something true; `run` FUNCTION ARGUMENT. It prints the results of `run` as JSON, by
// story, then the errors. The name mekuri.test is this machine's.

import { text } from "node:stream/consumers";
import puppeteer from "puppeteer-core";

const [firefox] = process.argv.slice(2);
const { prefs, stories } = JSON.parse(await text(process.stdin));
const asked = (source) => (0, eval)(`(${source})`);
const found = {};
const PATIENCE = 180_000; // milliseconds for what must come: on a busy machine everything takes long
const LEFT = /preload CSS|dynamically imported module/; // a part of a page that was left before it came

const browser = await puppeteer.launch({
  browser: "firefox",
  executablePath: firefox,
  headless: true,
  extraPrefsFirefox: {
    "ui.prefersReducedMotion": 1,
    "intl.accept_languages": "en",
    "network.dns.localDomains": "mekuri.test",
    "dom.security.https_first": false,
    "dom.security.https_only_mode": false,
    ...prefs,
  },
});
for (const [name, story] of Object.entries(stories)) {
  const results = (found[name] = []);
  const faults = [];
  const context = await browser.createBrowserContext();
  const tabs = {};
  const steps = {
    before: (page, script) => page.evaluateOnNewDocument(script),
    go: (page, address) => page.goto(address, { waitUntil: "domcontentloaded" }),
    back: (page) => page.evaluate(() => void history.back()),
    close: (page) => page.close(),
    press: (page, key) => page.keyboard.press(key),
    click: (page, selector) => page.$eval(selector, (each) => each.click()),
    fill: async (page, selector, words) => {
      await (await page.waitForSelector(selector)).click();
      await page.evaluate((words) => document.execCommand("insertText", false, words), words);
    },
    wait: (page, selector) => steps.until(page, "(selector) => document.querySelector(selector) !== null", selector),
    until: async (page, what, argument) => {
      const late = Date.now() + PATIENCE;
      // While the page goes elsewhere there is nothing to be asked.
      while (!(await page.evaluate(asked(what), argument).catch(() => false))) {
        if (Date.now() > late) throw new Error("it does not come");
        await new Promise((done) => setTimeout(done, 20));
      }
    },
    run: async (page, what, argument) => results.push(await page.evaluate(asked(what), argument)),
  };
  let at = "";
  try {
    for (const [tab, kind, ...rest] of story) {
      at = JSON.stringify([tab, kind, ...rest]).slice(0, 200);
      if (!tabs[tab]) {
        tabs[tab] = await context.newPage();
        tabs[tab].setDefaultTimeout(PATIENCE);
        tabs[tab].on("pageerror", (error) => LEFT.test(error.message) || faults.push(`exception: ${error.message}`));
      }
      await steps[kind](tabs[tab], ...rest);
    }
  } catch (error) {
    faults.push(`${error} at ${at}`);
  }
  results.push(faults);
  await context.close();
}
await browser.close();
console.log(JSON.stringify(found));
