// Shows events one after the other, each for as long as it takes to see it. No player ever waits for it.

const MOST = 24; // events that are shown one by one; if more arrive together, all are shown at once

/** Events that wait to be shown. */
export class Queue<T> {
  #waiting: T[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * `show` shows an event, the newest last; called without one after the last. `pause` returns for how many milliseconds
   * an event is shown; 0 for none. `hurried` returns whether the page is in the background.
   */
  constructor(
    private readonly show: (things: T[]) => void,
    private readonly pause: (thing: T) => number,
    private readonly hurried: () => boolean,
  ) {}

  /** Return whether an event is shown or still to be shown. */
  get busy(): boolean {
    return this.#timer !== undefined || this.#waiting.length > 0;
  }

  put(thing: T): void {
    this.#waiting.push(thing);
    if (this.#waiting.length > MOST || this.hurried()) this.jump();
    else if (this.#timer === undefined) this.#next();
  }

  /** Show everything at once. */
  jump(): void {
    const busy = this.busy;
    this.#rest();
    if (busy) this.show(this.#waiting.splice(0));
  }

  /** Forget the events that are still to be shown. */
  clear(): void {
    this.#rest();
    this.#waiting = [];
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #next(): void {
    this.#timer = undefined;
    const things: T[] = [];
    let pause = 0;
    while (!pause && this.#waiting.length) {
      const thing = this.#waiting.shift() as T;
      things.push(thing);
      pause = this.pause(thing);
    }
    if (pause) this.#timer = setTimeout(() => this.#next(), pause);
    this.show(things);
  }
}
