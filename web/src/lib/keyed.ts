// Whether the player uses the keyboard: the last input was a key.

export let keyed = false;

addEventListener("keydown", () => (keyed = true), true);
addEventListener("pointerdown", () => (keyed = false), true);
