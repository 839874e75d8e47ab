// Names as the user types them.

const LONGEST = 24; // in grapheme clusters, as the server counts; `maxlength` counts code units, which are shorter

/** Cut a name to its longest length. During composition, as of Japanese, it stays unchanged. */
export function fitted(name: string, event: Event): string {
  if ((event as InputEvent).isComposing || !Intl.Segmenter) return name;
  const signs = Array.from(new Intl.Segmenter().segment(name), ({ segment }) => segment);
  return signs.length > LONGEST ? signs.slice(0, LONGEST).join("") : name;
}
