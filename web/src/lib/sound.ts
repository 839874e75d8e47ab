// When something is heard. How it sounds is worked out elsewhere, and loaded when something is heard first.

import { settings } from "./settings.svelte";
import type { Sound } from "./synth";

export type { Sound };

/** Let something be heard, where sound is wished for. Browsers stay silent until somebody has pressed something, and so does this. */
export function sound(what: Sound): void {
  const pressed = navigator.userActivation?.hasBeenActive ?? true;
  if (!settings.sound || !settings.volume || !pressed || document.hidden) return;
  const loud = settings.volume / 100;
  void import("./synth").then(
    ({ synth }) => synth(what, loud),
    () => undefined, // a sound that cannot be loaded is not worth a word
  );
}
