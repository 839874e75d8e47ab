// A few steps in Firefox, driven over WebDriver BiDi: node firefox/steps.js FIREFOX < STEPS
//
// STEPS is one JSON: `prefs`, settings of Firefox; `steps`, rows of words. ["goto", ADDRESS]; ["click", WHAT], ["fill", WHAT, TEXT] and
// ["press", KEY], where WHAT is a selector; ["text", WHAT], which waits until there is some text, and ["value", WHAT]; ["run", FUNCTION]
// runs a function in the page. What these three find is printed at last, as a JSON list; a step that fails ends it with an error.

import { text } from "node:stream/consumers";
import puppeteer from "puppeteer-core";

const [firefox] = process.argv.slice(2);
const { prefs, steps } = JSON.parse(await text(process.stdin));
const PATIENCE = 180_000; // milliseconds for what must come: on a busy machine everything takes long

const found = [];
const browser = await puppeteer.launch({
  browser: "firefox",
  executablePath: firefox,
  headless: true,
  extraPrefsFirefox: { "intl.accept_languages": "en", ...prefs },
});
try {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  const does = {
    goto: (address) => page.goto(address),
    click: async (what) => (await page.waitForSelector(what)).click(),
    fill: async (what, words) => {
      await (await page.waitForSelector(what)).click();
      await page.evaluate((words) => document.execCommand("insertText", false, words), words);
    },
    press: (key) => page.keyboard.press(key),
    text: async (what) => {
      const told = (what) => document.querySelector(what)?.textContent.trim();
      found.push(await (await page.waitForFunction(told, {}, what)).jsonValue());
    },
    value: async (what) => found.push(await page.$eval(what, (field) => field.value)),
    run: async (told) => found.push(await page.evaluate((0, eval)(`(${told})`))),
  };
  for (const [step, ...words] of steps) await does[step](...words);
} finally {
  await browser.close();
}
console.log(JSON.stringify(found));
