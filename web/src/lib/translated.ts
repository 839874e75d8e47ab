// A browser that translates the page replaces every text node by <font> elements. Svelte keeps references to its text nodes, and would
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

  /** Show a text of the page in a node. */
  function write(node: Text, text: string): void {
    translations.get(node)?.font.remove();
    translations.delete(node);
    for (const own of ["nodeValue", "remove"]) Reflect.deleteProperty(node, own);
    node.data = text;
  }

  function adopt(node: Text, font: Element): void {
    const text = node.data;
    translations.set(node, { font, text });
    originals.set(font, node);
    // Svelte writes to `nodeValue` and calls `remove`. Remove the translation at once: the page may measure itself right after that.
    Object.defineProperty(node, "nodeValue", { configurable: true, get: () => text, set: (text: string) => write(node, text) });
    node.remove = () => {
      write(node, text);
      node.remove();
    };
    if (font.contains(node)) node.replaceWith(node.cloneNode());
    font.before(node);
  }

  new MutationObserver((records, observer) => {
    const touched = new Set<Text>();
    for (const { addedNodes, removedNodes, previousSibling, nextSibling } of records) {
      for (const node of removedNodes) {
        const original = originals.get(node);
        if (original) {
          // The browser shows the original again, or another translation.
          touched.add(original);
          addedNodes.forEach((each) => each !== original && (each as ChildNode).remove());
        } else if (node instanceof Text) {
          touched.add(node);
          const font = [node.parentNode, ...addedNodes, previousSibling, nextSibling]
            .map((each) => each instanceof Element && each.closest(OUTERMOST))
            .find((each) => each && !originals.has(each));
          if (font && !translations.has(node)) adopt(node, font);
        }
      }
    }
    for (const node of touched) {
      const { font, text } = translations.get(node) ?? {};
      if (font?.isConnected && node.isConnected) {
        node.data = "";
        if (node.nextSibling !== font) node.after(font);
      } else if (font) write(node, text!);
    }
    observer.takeRecords(); // skip the changes of this observer
  }).observe(root, { childList: true, subtree: true });
}
