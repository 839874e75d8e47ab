// What a person has chosen about the page. It is kept in the browser, and all its tabs follow.

type Theme = "system" | "light" | "dark";
export type Marks = "none" | "latin" | "kanji";
type Names = "short" | "long";
type Readings = "none" | "kana" | "latin";

export interface Settings {
  lang: string; // empty: the browser's
  theme: Theme;
  pace: number; // of movement: 0 none, 1 as usual, 3 three times as slow
  marks: Marks;
  numbers: boolean; // above the cards, where a game turns on them
  packs: Record<string, string>; // the set of card names chosen for a game
  learned: Record<string, number>; // beats of each game's lesson that are done; a game that is not here is new to this browser
  size: number; // of text, in percent
  sound: boolean;
  volume: number; // of it, in percent
  names: Names; // how much is spoken of a card
  traditional: boolean; // names of cards that show number and suit
  readings: Readings; // above Japanese names
  keys: boolean; // shortcuts of a single key
  shake: boolean; // when it is one's turn
  notify: boolean; // of that, while the page is hidden
  muted: string; // the tables, and the seats there, that are not heard
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
  sound: true, // once something has been pressed
  volume: 60,
  names: "long",
  traditional: false,
  readings: "kana",
  keys: true,
  shake: false,
  notify: false,
  muted: "",
};

/** What was kept, where it has the shape that it should have: others can write there, and so could an older page. */
function kept(): Settings {
  try {
    const told: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    if (typeof told !== "object" || told === null) return USUAL;
    const fits = Object.entries(told).filter(
      ([key, value]) => key in USUAL && value !== null && typeof value === typeof USUAL[key as keyof Settings],
    );
    return { ...USUAL, ...Object.fromEntries(fits) };
  } catch {
    return USUAL; // storage may be forbidden
  }
}

export const settings = $state<Settings>(kept());

/** Change a setting, here and in all tabs. */
export function choose<K extends keyof Settings>(key: K, value: Settings[K]): void {
  settings[key] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Where storage is forbidden the choice lasts as long as the tab.
  }
}

addEventListener("storage", (event) => {
  if (event.key === KEY) Object.assign(settings, kept());
});

const still = matchMedia("(prefers-reduced-motion: reduce)");
const system = $state({ still: still.matches });
still.addEventListener("change", () => (system.still = still.matches));

/** How slow movement is: 0 where there is to be none, of travel and of waiting alike. */
export function pace(): number {
  return system.still ? 0 : settings.pace;
}

/** How slow moments are, which also whoever wants nothing to move sees, as still pictures: 0 where there is no waiting at all. */
export const stillness = (): number => settings.pace;
