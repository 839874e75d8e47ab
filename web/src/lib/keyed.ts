// Whether the person uses keys: the last press was of one.

export let keyed = false;

addEventListener("keydown", () => (keyed = true), true);
addEventListener("pointerdown", () => (keyed = false), true);
