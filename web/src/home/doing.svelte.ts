// Something that a press does, once at a time. What went wrong is said beside the button.

import { why } from "./why";

export class Doing {
  busy = $state(false);
  amiss = $state("");

  /** Do it, unless it is being done. `game`: any game, whose catalogue has the words should the server refuse. */
  async run(game: string, does: () => Promise<unknown>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.amiss = "";
    try {
      await does();
    } catch (error) {
      this.amiss = await why(error, game);
    } finally {
      this.busy = false;
    }
  }
}
