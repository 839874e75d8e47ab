// Which card stands for a game on the first screen.

/** Cards of a drawn pack that look like something from afar, in the order in which they are handed out. */
const SHOWN: Record<string, readonly string[]> = { hanafuda: ["8H", "1H", "12H"] };
const USUAL = ["1O", "11I", "12K", "1H", "10O", "9I", "1K", "11H"];
/** A few cards by which a drawn pack is known. */
export const SAMPLE = ["1H", "8H", "4O", "12K"];

/** A card for every game by its name, out of the pack that it is shown with; no two alike while there are cards enough. */
export function faces(games: readonly { id: string; drawn: string }[]): Record<string, string> {
  const handed: Record<string, number> = {};
  const given = games.map(({ id, drawn }) => {
    const cards = SHOWN[drawn] ?? USUAL;
    const count = handed[drawn] ?? 0;
    handed[drawn] = count + 1;
    return [id, cards[count % cards.length] ?? "1H"];
  });
  return Object.fromEntries(given);
}
