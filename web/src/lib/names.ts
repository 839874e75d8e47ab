// Names as they are written.

const LONGEST = 24; // characters as people count them, as the server does; a code unit, as `maxlength` has it, is less than that

/** A name without what is too much of it. While it is composed, as Japanese is, it stays as it is. */
export function fitted(name: string, event: Event): string {
  if ((event as InputEvent).isComposing || !Intl.Segmenter) return name;
  const signs = Array.from(new Intl.Segmenter().segment(name), ({ segment }) => segment);
  return signs.length > LONGEST ? signs.slice(0, LONGEST).join("") : name;
}
