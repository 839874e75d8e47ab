// A browser that translates the page replaces every text node by <font> elements. Svelte keeps the text nodes that it made, and would
// write to, move and remove nodes that are no longer on the page.

const OUTERMOST = "font:not(font *)";

/**
 * Put every replaced text node back, empty, in front of its translation. Svelte then still finds the node. When Svelte writes to it,
 * the outdated translation is removed, and the browser translates the new text. When Svelte moves or removes it, the translation
 * follows.
 */
export function outliveTranslation(root: Node): void {
  const translations = new WeakMap<Node, { font: Element; text: string }>(); // by text node
  const originals = new WeakMap<Node, Text>(); // by translation

  const drop = (node: Node): void => {
    translations.get(node)?.font.remove();
    translations.delete(node);
  };

  const observer = new MutationObserver((records) => {
    const touched = new Set<Text>();
    for (const { target, addedNodes, removedNodes, previousSibling, nextSibling } of records) {
      drop(target); // a text node, which has been written to: elements have no translation
      for (const node of removedNodes) {
        const original = originals.get(node);
        if (original) {
          // The browser shows the original again, or another translation.
          touched.add(original);
          addedNodes.forEach((each) => each !== original && (each as ChildNode).remove());
        } else if (node instanceof Text) {
          touched.add(node);
          if (translations.has(node)) continue;
          const font = [node.parentNode, ...addedNodes, previousSibling, nextSibling]
            .map((each) => each instanceof Element && each.closest(OUTERMOST))
            .find((each) => each && !originals.has(each));
          if (!font) continue;
          translations.set(node, { font, text: node.data });
          originals.set(font, node);
          if (font.contains(node)) node.replaceWith(node.cloneNode());
          font.before(node);
        }
      }
    }
    for (const node of touched) {
      const { font, text } = translations.get(node) ?? {};
      if (font?.isConnected && node.isConnected) {
        node.data = "";
        if (node.nextSibling !== font) node.after(font);
      } else if (font) {
        drop(node);
        node.data = text!;
      }
    }
    observer.takeRecords(); // these changes are its own
  });
  observer.observe(root, { childList: true, characterData: true, subtree: true });
}
