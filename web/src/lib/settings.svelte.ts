// The player's settings of the page. The browser stores them, and all its tabs follow.

type Theme = "system" | "light" | "dark";
export type Marks = "none" | "latin" | "kanji";
type Names = "short" | "long";
type Readings = "none" | "kana" | "latin";

export interface Settings {
  lang: string; // empty: the browser's language
  theme: Theme;
  pace: number; // 0 no movement, 1 normal, 3 three times as slow
  marks: Marks;
  numbers: boolean; // above the cards, in games of numbers and suits
  packs: Record<string, string>; // the set of card names for each game
  learned: Record<string, number>; // done beats of each game's lesson; a missing game is new to this browser
  size: number; // of text, in percent
  sound: boolean;
  volume: number; // of sound, in percent
  names: Names; // how much screen readers say of a card
  traditional: boolean; // traditional names of cards that show number and suit
  readings: Readings; // above Japanese names
  keys: boolean; // shortcuts of a single key
  shake: boolean; // at your turn
  notify: boolean; // at your turn, while the page is hidden
  muted: string; // muted tables, and muted seats there
}

const KEY = "mekuri";
const USUAL: Settings = {
  lang: "",
  theme: "system",
  pace: 1,
  marks: "none",
  numbers: true,
  packs: {},
  learned: {},
  size: 100,
  sound: true, // once the user has pressed something
  volume: 60,
  names: "long",
  traditional: false,
  readings: "kana",
  keys: true,
  shake: false,
  notify: false,
  muted: "",
};

/** Return the stored settings with the expected shape: other programs and older pages can write there. */
function kept(): Settings {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    if (typeof stored !== "object" || stored === null) return USUAL;
    const fits = Object.entries(stored).filter(
      ([key, value]) => key in USUAL && value !== null && typeof value === typeof USUAL[key as keyof Settings],
    );
    return { ...USUAL, ...Object.fromEntries(fits) };
  } catch {
    return USUAL; // the browser may forbid storage
  }
}

export const settings = $state<Settings>(kept());

/** Change a setting, here and in all tabs. */
export function choose<K extends keyof Settings>(key: K, value: Settings[K]): void {
  settings[key] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Without storage the setting lasts as long as the tab.
  }
}

addEventListener("storage", (event) => {
  if (event.key === KEY) Object.assign(settings, kept());
});

const still = matchMedia("(prefers-reduced-motion: reduce)");
const system = $state({ still: still.matches });
still.addEventListener("change", () => (system.still = still.matches));

/** Return the slowness of movement: 0 for no movement and no waiting. */
export function pace(): number {
  return system.still ? 0 : settings.pace;
}

/** Return the slowness of moments, which reduced motion shows as still pictures: 0 for no waiting. */
export const stillness = (): number => settings.pace;
