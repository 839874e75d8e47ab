// Links of a page without a server: to paths of the page, which have other addresses here, and to files that the worker makes.

import { addressOf } from "../lib/reach";
import { ask } from "./reach";

function change(link: Element): void {
  const path = link.getAttribute("href");
  if (path?.startsWith("/") && !path.startsWith("/api/")) link.setAttribute("href", addressOf(path));
}

/** Save a file that the worker makes. */
async function save(path: string, name: string): Promise<void> {
  const address = URL.createObjectURL(await (await ask(path, {})).blob());
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

document.querySelectorAll("a").forEach(change);
new MutationObserver((changes) => {
  for (const { type, target, addedNodes } of changes) {
    if (type === "attributes") change(target as Element);
    for (const node of addedNodes)
      if (node instanceof Element) for (const link of [node, ...node.querySelectorAll("a")]) change(link);
  }
}).observe(document, { subtree: true, childList: true, attributeFilter: ["href"] });

document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a[href^='/api/']") : null;
  if (!link) return;
  event.preventDefault();
  const path = link.getAttribute("href") ?? "";
  void save(path, link.getAttribute("download") || `mekuri-${path.split("/").at(-1)}.json`);
});
