"""Whether there is room for everything on a page: what a browser finds that is cut off, covered or out of reach."""

# Elements without room: the innermost that reach beyond the right edge of the window, and elements that must be scrolled sideways
# or are cut off. Tables may be scrolled, as the standard allows.
WIDE = """() => {
  const all = [...document.querySelectorAll("body *")].filter((each) => !each.closest(".spoken, svg, input, select"));
  const out = all.filter((each) => each.getBoundingClientRect().right > innerWidth + 0.5);
  const inner = out.filter((each) => !out.some((other) => other !== each && each.contains(other)));
  const seen = (each) => {
    const texts = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    let right = -Infinity;
    while (texts.nextNode()) {
      if (texts.currentNode.parentElement.clientWidth === 1) continue; // it is there for the ear only
      range.selectNodeContents(texts.currentNode);
      right = Math.max(right, range.getBoundingClientRect().right);
    }
    return Math.max(right, ...[...each.querySelectorAll("svg, input, button")].map((part) => part.getBoundingClientRect().right));
  };
  const cut = all.filter((each) => {
    const { overflowX, textOverflow } = getComputedStyle(each);
    // Prints on the first page are cut by the edge of their strip.
    const spare = ["visible", "auto"].includes(overflowX) || textOverflow === "ellipsis" || each.matches(".art, :has(table)");
    if (spare || each.clientWidth <= 1 || each.scrollWidth <= each.clientWidth + 1) return false;
    return seen(each) > each.getBoundingClientRect().right + 1;
  });
  const named = (each, by) => `${by} ${each.tagName}.${each.getAttribute("class")} ${each.textContent.trim().slice(0, 40)}`;
  const right = (each) => Math.round(each.getBoundingClientRect().right - innerWidth);
  return [
    ...(document.documentElement.scrollWidth > innerWidth ? inner.map((each) => named(each, right(each))) : []),
    ...cut.map((each) => named(each, `cut by ${each.scrollWidth - each.clientWidth}`)),
  ].slice(0, 8);
}"""

# Each seat is seen, or a scroll away; nothing that is played with lies on something else.
TABLE = """seats => {
  const rect = (each) => each.getBoundingClientRect();
  const named = (each) => `${each.tagName}.${each.getAttribute("class")} ${each.textContent.trim().slice(0, 40)}`;
  const found = [];
  const hit = (each) => {
    each.scrollIntoView({ block: "nearest", inline: "nearest" });
    const { left, top, right, bottom, width, height } = rect(each);
    if (width < 1 || height < 1) return "is not there";
    if (left < -1 || right > innerWidth + 1) return `stands out of the window: ${left} to ${right}`;
    if (top < -1 || bottom > innerHeight + 1) return `is out of reach: ${top} to ${bottom}`;
    const on = document.elementFromPoint(left + Math.min(4, width / 2), top + height / 2);
    return each.contains(on) || on?.contains(each) ? "" : `is covered by ${on && named(on)}`;
  };
  for (let seat = 0; seat < seats; seat++) {
    const plate = document.querySelector(`.board [data-purse="${seat}"]`);
    const wrong = plate ? hit(plate) : "is not drawn";
    if (wrong) found.push(`seat ${seat} ${wrong}`);
  }
  for (const each of document.querySelectorAll(".board .words button, .board .deck, .board .legal")) {
    const wrong = hit(each);
    if (wrong) found.push(`${named(each)} ${wrong}`);
  }
  const clipped = (each) => {
    let { left, top, right, bottom } = rect(each);
    for (let around = each.parentElement; around; around = around.parentElement) {
      if (getComputedStyle(around).overflow === "visible") continue;
      const its = rect(around);
      [left, top] = [Math.max(left, its.left), Math.max(top, its.top)];
      [right, bottom] = [Math.min(right, its.right), Math.min(bottom, its.bottom)];
    }
    return { left, top, right, bottom };
  };
  const parts = [...document.querySelectorAll(".board :is([data-purse], .middle > *, .beside > *, .asks, .hands)")];
  parts.forEach((one, i) => {
    for (const other of parts.slice(i + 1)) {
      const [a, b] = [clipped(one), clipped(other)];
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      const by = `${Math.round(across)} x ${Math.round(down)}`;
      if (across > 2 && down > 2) found.push(`${named(one)} and ${named(other)} overlap by ${by}`);
    }
  });
  return found.slice(0, 8);
}"""
