// An action of a button, one at a time. Its error is shown beside the button.

import { why } from "./why";

export class Doing {
  busy = $state(false);
  amiss = $state("");

  /** Run it, unless it is running. `game`: any game, whose catalogue has the texts of refusals. */
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
