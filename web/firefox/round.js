// A round in Firefox, driven over WebDriver BiDi: node firefox/round.js FIREFOX ADDRESS WIDTH HEIGHT HANDS PLACES [WAY...]
//
// From the first screen by one press to the result, by finger, mouse or keys alone, with the page loaded anew on the way. Ways:
// "motion", everything moves as it usually does; "restart", half way "restart" is printed, and its reader restarts the server;
// "stopped", "restart" is printed when the browser has kept the page and is offline, and its reader stops the server for good;
// "private", in a private window;
// "translated", the browser translates the page, and a second tab, which is not translated, shows the same after each press.
// PLACES says as JSON where on the page there is what hands need: deal, legal, chosen, hand, result, onward; and for keys two functions of what is
// to be pressed: its digit, and the key that leads nearer to it. `hand` is empty if no seat has a hand. tests/helpers/page/hands.py has
// them. For a translated page it has what translates it, a function that tells what is shown, and the places of which it tells nothing.
// At the end it prints the errors as JSON: [] for none.

import puppeteer from "puppeteer-core";

const [firefox, address, width, height, hands, places, ...ways] = process.argv.slice(2);
const { deal, legal, chosen, hand, result, onward, digit, nearer, translate, shown, except } = JSON.parse(places);
const MOST = 400; // presses in a round
const FAR = 300; // keys from one place to another
const PATIENCE = 180_000; // milliseconds for what must come: on a busy machine everything takes long
const LONG_PRESS = 5000; // milliseconds after which a tap may have been taken for a long press, which deals nothing
const LOST = /EventSource|can.t establish a connection|NetworkError|Failed to load/i; // what Firefox says of a server that is away
const motion = ways.includes("motion");
const there = `${legal}, ${result}`; // what comes when it is one's turn, or the end
const faults = [];

let away = false; // whether the server has been away
let browser;
try {
  browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: firefox,
    headless: true,
    extraPrefsFirefox: {
      "ui.prefersReducedMotion": motion ? 0 : 1,
      "intl.accept_languages": "en",
      "browser.privatebrowsing.autostart": ways.includes("private"),
    },
  });
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.setViewport({ width: Number(width), height: Number(height) });
  page.on("pageerror", (error) => faults.push(`exception: ${error.message}`));
  page.on(
    "console",
    (message) => message.type() === "error" && !(away && LOST.test(message.text())) && faults.push(`console: ${message.text()}`),
  );

  const translated = ways.includes("translated");
  if (translated) await page.evaluateOnNewDocument(translate);
  await page.goto(address);
  if (ways.includes("stopped")) {
    await page.evaluate(controlled);
    await page.setOfflineMode(true); // of the page; its workers may not know it, so the server stops as well
    await restarted();
  }
  if (!motion) {
    await page.evaluate(() => localStorage.setItem("mekuri", JSON.stringify({ pace: 0 })));
    await page.reload();
  }
  await page.waitForSelector(deal);
  for (let button; (button = await page.$(deal));) {
    await press(button);
    await page.waitForSelector(there, { timeout: LONG_PRESS }).catch(() => {});
  }
  await page.waitForSelector(there);
  const plain = translated && (await browser.newPage());
  await (plain || page).setViewport({ width: Number(width), height: Number(height) });
  const seen = new Set(); // what both tabs have shown
  let again = false; // whether the page has been loaded anew
  for (let presses = 0; ; presses++) {
    if (presses > MOST) throw new Error("the round does not end");
    await page.waitForSelector(there);
    if (await page.$(result)) {
      if (again && (!plain || seen.size > 1)) break;
      // In this round there was too little to see: nothing was asked, or only once where two tabs are compared.
      await press(await page.$(onward));
      await page.waitForSelector(result, { hidden: true });
      continue;
    }
    faults.push(...(await covered(page)));
    const anew = !again && (await reloaded(page));
    again ||= anew;
    if (plain) seen.add(await alike(page, plain, anew));
    if (ways.includes("restart") && presses === 3) await restarted();
    const what = await page.$(legal);
    if (what) await press(what);
  }
  const text = await page.$eval(result, (each) => each.textContent.trim());
  if (!text) faults.push("the result says nothing");
  if (plain) {
    await alike(page, plain);
    if (seen.size < 2) faults.push(`only ${seen.size} different pages are compared`);
    if (!(await page.$("font"))) faults.push("nothing is translated");
  }
} catch (error) {
  faults.push(String(error));
} finally {
  await browser?.close();
}
console.log(JSON.stringify([...new Set(faults)]));

/** Press what may have gone meanwhile: another player's turn, or the end. */
async function press(what) {
  try {
    if (hands === "keys") return await byKeys(what);
    if (hands === "mouse") return await what.click();
    await what.tap();
    // The first tap on a card chooses it, the second plays it.
    if (await what.evaluate((each, chosen) => each.matches(chosen), chosen)) await what.tap();
  } catch (error) {
    if (!/detached|not (visible|clickable|connected)|no such|stale/i.test(String(error))) throw error;
  }
}

/** A card of the hand by its digit, anything else by Tab and the arrows; then Enter. */
async function byKeys(what) {
  const keys = what.frame.page().keyboard;
  const number = await what.evaluate(asked(digit));
  if (number) {
    await keys.press(number);
    const there = await what.evaluate((each) => each === document.activeElement);
    if (!there) throw new Error(`the key ${number} does not lead to its card`);
  } else
    for (let pressed = 0, way; (way = await what.evaluate(asked(nearer))) !== "here"; pressed++) {
      if (pressed > FAR) throw new Error(`Tab and arrows do not lead to ${await what.evaluate((each) => each.outerHTML)}`);
      const [key, shift] = way.split("+").reverse();
      if (shift) await keys.down(shift);
      await keys.press(key);
      if (shift) await keys.up(shift);
    }
  await keys.press("Enter");
}

/** A function that is passed as text. */
function asked(text) {
  return (0, eval)(`(${text})`);
}

/** Wait until a service worker answers the page. */
async function controlled() {
  await navigator.serviceWorker.ready;
  while (!navigator.serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Wait for the test to restart or stop the server after reading the output; the round continues by itself. */
async function restarted() {
  away = true;
  const done = new Promise((resolve) => process.stdin.once("data", resolve));
  console.log("restart");
  await done;
  process.stdin.destroy();
}

/** The page loaded anew leads back to the same cards. Whether there were any. */
async function reloaded(page) {
  const held = async () => (hand ? page.$$eval(hand, (cards) => cards.map((card) => card.dataset.card).join()) : "no hand");
  const before = await held();
  if (!before || !(await page.$(legal))) return false;
  await page.reload();
  await page.waitForSelector(`${legal}, ${result}`);
  const after = await held();
  if (before !== after) faults.push(`the hand was ${before} and is ${after}`);
  return true;
}

/** Wait until both tabs show the same; the second is opened with the first and reloaded with it. Return their content. */
async function alike(page, plain, anew = false) {
  if (anew || plain.url() !== page.url()) {
    await plain.goto(page.url());
    await page.bringToFront();
  }
  const look = (tab) => tab.evaluate(asked(shown), except);
  await page.mouse.move(0, 0);
  let both = ["", "not yet"];
  for (const end = Date.now() + PATIENCE; both[0] !== both[1] && Date.now() < end;) both = [await look(page), await look(plain)];
  if (both[0] === both[1]) return both[0];
  const [here, there] = both.map((text) => text.split("\n"));
  faults.push(`only translated: ${here.filter((line) => !there.includes(line)).join(" | ")}`);
  faults.push(`only untranslated: ${there.filter((line) => !here.includes(line)).join(" | ")}`);
  throw new Error("the translated page shows something else");
}

/** Return parts of the question that stay covered. In motion a flying card may cover others for a moment. */
async function covered(page) {
  let found = await page.evaluate(unseen);
  for (const end = Date.now() + PATIENCE; motion && found.length && Date.now() < end;) found = await page.evaluate(unseen);
  return found;
}

/** Return parts of the question that are covered now. */
function unseen() {
  const board = document.querySelector(".at-table > .board");
  const found = [];
  for (const each of document.querySelectorAll(".board .prompt, .board .words button, .board .card-button.legal")) {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (!each.contains(hit)) found.push(`${each.className} is covered at ${Math.round(top)}`);
  }
  if (board && board.scrollHeight > board.clientHeight + 1)
    found.push(`the table is higher by ${board.scrollHeight - board.clientHeight}`);
  if (document.documentElement.scrollWidth > innerWidth + 1)
    found.push(`the page is broader by ${document.documentElement.scrollWidth - innerWidth}`);
  return found;
}
