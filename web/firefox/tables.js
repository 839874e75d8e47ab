// Seeded tables in Firefox, driven over WebDriver BiDi: node firefox/tables.js FIREFOX ADDRESS < TABLES
//
// TABLES is one JSON: `tables`, each with its name, its path and the bodies that requests are answered with, by their paths; `silence`, a
// script that stands before the page's own; `hidden`, a function that says what cannot be seen; `sizes`, by the size of the letters.
// tests/page/test_firefox.py has them. It prints the hidden elements as JSON, by table, window and text size: {} for none.

import { text } from "node:stream/consumers";
import puppeteer from "puppeteer-core";

const [firefox, address] = process.argv.slice(2);
const { tables, silence, hidden, sizes } = JSON.parse(await text(process.stdin));
const index = await (await fetch(address)).text();
const faults = {};

const browser = await puppeteer.launch({
  browser: "firefox",
  executablePath: firefox,
  headless: true,
  // A service worker takes a page's own request over, and Firefox then no longer knows the one that is to be answered.
  extraPrefsFirefox: { "ui.prefersReducedMotion": 1, "intl.accept_languages": "en", "dom.serviceWorkers.enabled": false },
});
try {
  const page = await browser.newPage();
  let answers = {};
  page.on("pageerror", (error) => (faults[`exception: ${error.message}`] = []));
  await page.evaluateOnNewDocument(silence);
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    const body = answers[pathname];
    if (body === undefined) return void request.continue();
    const contentType = body === index ? "text/html" : "application/json";
    void request.respond({ status: 200, contentType, body: typeof body === "string" ? body : JSON.stringify(body) });
  });
  for (const { name, path, bodies } of tables) {
    answers = { ...bodies, [path]: index };
    await page.goto(address + path);
    await page.waitForSelector(".prompt.asked");
    for (const [letters, windows] of Object.entries(sizes)) {
      await page.evaluate((size) => (document.documentElement.style.fontSize = `${size}%`), letters);
      for (const [width, height] of windows) {
        await page.setViewport({ width, height });
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        const found = await page.evaluate((0, eval)(`(${hidden})`), letters !== "100");
        if (found.length) faults[`${name}, ${width}x${height}, ${letters} %`] = found;
      }
    }
  }
} catch (error) {
  faults[String(error)] = [];
} finally {
  await browser.close();
}
console.log(JSON.stringify(faults));
