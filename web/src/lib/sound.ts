// When sounds play. Their synthesis is a module of its own, loaded with the first sound.

import { settings } from "./settings.svelte";
import type { Sound } from "./synth";

export type { Sound };

/** Play a sound if the settings ask for it. Browsers stay silent until the first press, and so does this. */
export function sound(what: Sound): void {
  const pressed = navigator.userActivation?.hasBeenActive ?? true;
  if (!settings.sound || !settings.volume || !pressed || document.hidden) return;
  const loud = settings.volume / 100;
  void import("./synth").then(
    ({ synth }) => synth(what, loud),
    () => undefined, // a sound that fails to load is ignored
  );
}
