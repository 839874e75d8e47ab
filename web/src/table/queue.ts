// What has happened is shown one thing after the other, each for as long as it takes to see it, and never so that anybody waits.

const MOST = 24; // things that are shown one by one; where more have come together, all are shown at once

/** Things that wait to be shown. */
export class Queue<T> {
  #waiting: T[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * `show` shows what has come, the newest last; nothing, when the last has been looked at. `pause` says for how many milliseconds
   * a thing is looked at; 0 where it need not be. `hurried` says whether nobody looks.
   */
  constructor(
    private readonly show: (things: T[]) => void,
    private readonly pause: (thing: T) => number,
    private readonly hurried: () => boolean,
  ) {}

  /** Whether something has not been shown, or is being looked at. */
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

  /** Forget what has not been shown. */
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
