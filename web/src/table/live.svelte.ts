// A table as it is shown while it is played: the newest of it, and what is shown of that so far.

import { flushSync } from "svelte";
import { clauseAddress } from "../lib/address";
import { events, play, ready, Refused, showTable, Unreachable, worths } from "../lib/api";
import { say } from "../lib/language.svelte";
import { dismiss, interrupt } from "../lib/notice.svelte";
import { pace, settings, stillness } from "../lib/settings.svelte";
import { takeHanded } from "../lib/start";
import { follow, wake, type Message, type Standing } from "../lib/stream";
import { now } from "../lib/time";
import type { Voice } from "../lib/voice";
import type { Event, Events, Legal, Table, Text, View, Worths } from "../wire";
import { check, note, type Deal } from "./fair";
import { lately } from "./fresh";
import { DEALING, lasts, leads, looked, meets, momentsOf, packetsOf, STILL, type Kind, type Moment } from "./moments";
import { Queue } from "./queue";
import { saidBy, type Said } from "./saying";
import { secondsUntil } from "./seats";

/** Something that happened, as the log tells it. */
export interface Entry {
  version: number;
  text: Text;
  moments: readonly Moment[]; // what the text does not say
  said: Said | null; // what somebody has said across the table
}

/** One thing that is shown: what has happened, or a moment of it. */
interface Step {
  event: Event;
  moment: Moment | null;
  look: number; // milliseconds, at the usual pace
  still: number; // likewise where nothing moves
  opening?: true; // whether it is the deal with which one has come, and known
}

const SAID = 5000; // milliseconds for which what somebody has said stands at their name
const BLINK = 1200; // milliseconds for which a line may be lost before it is worth a word
const LATE = 1500; // milliseconds after which what was answered should have been heard
const FIRST = 8; // things that may have happened before a first deal, and its own: people sit down, a dealer is drawn
const [FEW, MOST] = [50, 200]; // things of the past that are asked for: few, and as many as are kept if that was not the whole round

/** Whether an answer is waited for only so long that there is no time to look on first. Where it may take days, there is. */
function hurried(view: View | null | undefined): boolean {
  return view != null && view.closes !== null && view.due == null;
}

export class Live {
  table = $state.raw<Table | null>(null); // the newest
  shown = $state.raw<View | null>(null); // what is shown of it: behind, while things are still being shown
  event = $state.raw<Event | null>(null); // what led to the shown view
  moment = $state.raw<Moment | null>(null); // what is shown large, over the table
  looks = $state(0); // milliseconds for which it is
  behind = $state(false);
  undealt = $state(false); // whether it is not known yet if the deal is still to be seen
  opening = $state.raw<Event | null>(null); // the deal, where the person has come when there was nothing else yet
  log = $state.raw<Entry[]>([]); // of the round
  past = $state.raw<Event[]>([]); // the newest of all that has been shown, or had happened before
  came = $state(0); // the version up to which it had happened before
  said = $state.raw<readonly Said[]>([]); // what has been said just now, one thing a seat
  sending = $state.raw<string | null>(null); // the action that is on its way
  going = $state(false); // whether the next round is being asked for
  lost = $state(false); // whether the line is
  failure = $state.raw<Refused | Unreachable | null>(null); // why there is no table
  worths = $state.raw<Worths | null>(null);
  deal = $state<Deal>("unopened");

  readonly #queue = new Queue<Step>(
    (shown) => this.#show(shown),
    (step) => this.#look(step),
    () => !this.#again && (stillness() === 0 || document.hidden),
  );
  #steps = new WeakMap<Event, Step[]>(); // how each is shown
  #known = new Set<Kind>(); // the moments that there have been in the round
  #stop = (): void => {};
  #closed = false;
  #dealt: Event | null = null; // the deal with which one has come, still to be shown
  #catching: Promise<void> | null = null;
  #again = false; // whether something is being shown again
  #missed = false; // whether something was heard meanwhile that does not follow
  #asked: string | null = null; // what the person has been told to be asked
  #askedAt = 0; // the version at which
  #sentAt = 0; // the version that the action on its way answers
  #blink: ReturnType<typeof setTimeout> | undefined;
  #restless = new Set<() => void>(); // those who wait for a moment before they try again

  constructor(
    readonly id: string,
    private readonly voice: () => Voice | null,
  ) {}

  /** What the person may do now: when all that has led to it has been seen, or at once while an answer is waited for only so long. */
  get legal(): readonly Legal[] {
    const newest = this.table?.view;
    return !newest || this.sending !== null || this.slow ? [] : newest.legal;
  }

  /** Whether nothing may be done yet, as something is still being shown: not for a deal with which one has come. */
  get slow(): boolean {
    const newest = this.table?.view;
    return this.behind && !hurried(newest) && !(this.opening && this.shown === newest);
  }

  /** What has happened since the person acted last, and what they do now; for others who watch, what the last seat did. */
  get last(): readonly Text[] {
    return lately(
      this.log.filter((entry) => !entry.said).map((entry) => entry.text),
      this.table?.you ?? null,
    );
  }

  /** The view that asks: the newest while an answer is waited for only so long, else the one that is shown. */
  get asking(): View | null {
    const newest = this.table?.view ?? null;
    return hurried(newest) ? newest : this.shown;
  }

  close(): void {
    this.#closed = true;
    this.#stop();
    this.#queue.clear();
    clearTimeout(this.#blink);
    this.#tryNow();
  }

  /** Show the newest at once: the person does something, and waits for nothing. */
  hurry(): void {
    this.#queue.jump();
  }

  /** Show once more what has happened, from a view on. */
  showAgain(from: View | null, events: readonly Event[]): void {
    if (this.behind) return;
    this.#again = true; // which one wants to see, however little may move otherwise
    this.shown = from;
    this.event = null;
    for (const event of events) this.#put(event);
    this.behind = this.#queue.busy;
  }

  /** Do one of the legal actions. It is sent until it is answered; it happens once. */
  async act(action: string): Promise<void> {
    this.hurry();
    const view = this.table?.view;
    if (!view || this.sending !== null || !view.legal.some((legal) => legal.action === action)) return;
    dismiss(); // what was refused before is settled
    this.sending = action;
    this.#sentAt = view.version;
    try {
      const answer = await this.insist(() => play(this.id, view.version, action));
      this.#expect(answer.version);
    } catch (error) {
      this.sending = null;
      this.complain(error);
      if (error instanceof Refused && error.status === 409) await this.#catchUp();
    }
  }

  /** A card was chosen that may not be played now: say why. */
  refuse(card: string): void {
    this.hurry();
    const view = this.shown;
    const voice = this.voice();
    const found = view?.refused.find((each) => each.card === card);
    if (found && voice && view) interrupt(voice.text(found.text), link(view.game, found.clause));
    else interrupt(say("table.not-here"));
  }

  /** Go on to the next round, ask for the match to end here, or answer that. */
  async next(enough?: boolean): Promise<void> {
    const table = this.table;
    if (!table || this.going) return;
    this.going = true;
    try {
      this.#expect((await this.insist(() => ready(this.id, table.head.round, enough))).version);
    } catch (error) {
      this.complain(error);
      await this.#catchUp();
    } finally {
      this.going = false;
    }
  }

  /** Take a whole table, unless it is older than what is known. One from the stream is right in any case. */
  take(table: Table, certain = false): void {
    if (this.#closed) return;
    const before = this.table;
    const same = before !== null && before.you === table.you;
    if (same && !certain && table.version < before.version) return;
    if (same && table.version === before.version) {
      this.table = { ...before, head: table.head, presence: table.presence };
      return;
    }
    this.#queue.clear();
    this.#again = false;
    this.table = table;
    this.shown = table.view;
    this.event = null;
    this.moment = null;
    this.behind = false;
    this.sending = null;
    note(this.id, table.head);
    this.#checkDeal();
    this.#offer();
    this.log = this.past = [];
    this.opening = this.#dealt = null;
    this.undealt = before === null && table.head.round === 1 && table.version <= FIRST && table.view?.over === false && pace() > 0;
    void this.#fillLog().finally(() => (this.undealt = false));
  }

  /** Show the deal with which one has come, once there are words for the table. */
  #deal(): void {
    const event = this.#dealt;
    if (!event || !this.voice()) return;
    this.#dealt = null;
    if (event.version !== this.table?.version) return;
    this.#queue.put({ event, moment: null, look: DEALING, still: 0, opening: true });
    this.behind = this.#queue.busy;
  }

  /** Come to the table. */
  async come(): Promise<void> {
    try {
      this.take(takeHanded(this.id) ?? (await this.insist(() => showTable(this.id))));
    } catch (error) {
      if (error instanceof Refused || error instanceof Unreachable) this.failure = error;
      else throw error;
      return;
    }
    this.lost = false;
    if (this.#closed) return;
    this.#stop = follow(this.id, () => this.table?.version ?? null, {
      hear: (message) => this.#hear(message),
      line: (standing) => this.#line(standing),
    });
    this.worths = await this.insist(() => worths(this.id)).catch(() => null);
  }

  // --- What is heard ---

  #hear(message: Message): void {
    if (message.kind === "table") this.take(message.table, true);
    else if (message.kind === "event") this.#apply(message.event);
    else if (this.table) this.table = { ...this.table, presence: message.presence.presence };
  }

  #line({ up }: Standing): void {
    if (up) {
      clearTimeout(this.#blink);
      this.#blink = undefined;
      this.lost = false;
      this.#tryNow();
    } else {
      this.#blink ??= setTimeout(() => {
        this.lost = true;
        void this.#catchUp(); // a line may also be refused, because there is no such table any more
      }, BLINK);
    }
  }

  #apply(event: Event): void {
    const table = this.table;
    if (!table || event.version <= table.version) return;
    if (event.version > table.version + 1 || (event.view && event.view.you !== table.you)) {
      void this.#catchUp();
      return;
    }
    this.#steps.set(event, this.#stepsOf(table.view, event));
    this.table = { ...table, version: event.version, head: event.head ?? table.head, view: event.view ?? table.view };
    if (event.head) this.#checkDeal();
    if (this.sending !== null && event.version > this.#sentAt && event.kind !== "say") this.sending = null;
    this.#put(event);
    this.behind = this.#queue.busy;
    this.#offer();
  }

  /** How something is shown: by itself, with the moments in it before or after it. */
  #stepsOf(before: View | null, event: Event): Step[] {
    if (event.kind === "round") this.#known.clear();
    const moments = momentsOf(before, event, this.voice()?.cries);
    const look = looked(before, event, this.table?.you ?? null, moments);
    const itself = { event, moment: null, look, still: meets(before, event) ? STILL : 0 };
    const steps = moments.map((moment) => {
      const look = lasts(moment, this.#known.has(moment.kind));
      return { event, moment, look, still: look };
    });
    for (const { kind } of moments) this.#known.add(kind);
    return [...steps.filter(({ moment }) => leads(moment)), itself, ...steps.filter(({ moment }) => !leads(moment))];
  }

  #put(event: Event): void {
    for (const step of this.#steps.get(event) ?? []) this.#queue.put(step);
  }

  /** How long it is looked at. Where nothing is to move, moments and captures are still pictures, and all else is there at once. */
  #look({ look, still }: Step): number {
    return (pace() || this.#again ? look : still) * (stillness() || Number(this.#again));
  }

  /** The stream will tell what the server has answered already; if not, it is asked for. */
  #expect(version: number): void {
    setTimeout(() => {
      if ((this.table?.version ?? 0) < version) void this.#catchUp();
    }, LATE);
  }

  /** Ask for what was missed. */
  #catchUp(): Promise<void> {
    this.#missed = true;
    this.#catching ??= this.#ask().finally(() => (this.#catching = null));
    return this.#catching;
  }

  async #ask(): Promise<void> {
    while (this.#missed && this.table && !this.#closed) {
      this.#missed = false;
      const since = this.table.version;
      let told: Events;
      try {
        told = await events(this.id, since);
      } catch (error) {
        if (error instanceof Refused && error.status === 404) this.#gone(error);
        else wake(true); // the line tells it when it is back
        return;
      }
      if (told.table.you === this.table.you) for (const event of told.events) this.#apply(event);
      this.take(told.table);
    }
  }

  /** There is no such table: its place on the line is for others, which would be refused with it. */
  #gone(failure: Refused): void {
    this.failure = failure;
    this.#stop();
  }

  // --- What is shown ---

  #show(steps: Step[]): void {
    const happened = steps.filter(({ moment, opening }) => !moment && !opening).map(({ event }) => event);
    const step = steps.at(-1);
    for (const event of happened) this.#hearSaid(saidBy(event));
    this.behind = this.#queue.busy;
    this.#again &&= this.behind;
    this.opening = this.behind && step?.opening ? step.event : null;
    this.moment = this.behind ? (step?.moment ?? null) : null;
    this.looks = step ? this.#look(step) : 0;
    // A capture comes from where the cards were laid, which was there at once.
    if (this.behind && step?.still === STILL) {
      this.#tell(happened.slice(0, -1));
      flushSync();
    }
    this.#tell(happened);
    this.#offer();
  }

  #tell(happened: Event[]): void {
    const last = happened.at(-1);
    if (!last) return;
    const known = this.log.at(-1)?.version ?? 0; // what is shown again has been told
    const fresh = happened.filter((event) => event.version > known);
    const begun = begins(fresh);
    const entries = fresh.slice(Math.max(0, begun)).map((event) => this.#entry(event));
    this.log = begun < 0 ? [...this.log, ...entries] : entries;
    this.past = [...this.past, ...fresh].slice(-MOST);
    this.shown = last.view ?? this.shown;
    this.event = happened.findLast(({ kind }) => kind !== "say") ?? this.event;
    if (happened.some(({ version, view }) => version > this.#askedAt && view && !view.legal.length)) this.#asked = null;
  }

  #hearSaid(said: Said | null): void {
    if (!said) return;
    this.said = [...this.said.filter(({ seat }) => seat !== said.seat), said];
    setTimeout(() => (this.said = this.said.filter((other) => other !== said)), SAID);
  }

  #entry(event: Event): Entry {
    const moments = (this.#steps.get(event) ?? []).flatMap(({ moment }) => moment ?? []);
    return { version: event.version, text: event.text, moments, said: saidBy(event) };
  }

  /** Say that it is the person's turn, or what is asked next within it. */
  #offer(): void {
    const view = this.asking;
    const voice = this.voice();
    if ((this.behind && view === this.shown) || !view?.legal.length || !voice) return;
    const told = view.prompt ? voice.text(view.prompt) : "";
    if (told === this.#asked) return;
    const closes = hurried(view) ? view.closes : null;
    const clock = closes === null ? "" : say("table.closes", { seconds: secondsUntil(closes, now()) });
    const whole = [told, clock].filter(Boolean).join(" ");
    if (this.#asked === null) this.#summon(voice);
    interrupt(this.#asked === null ? say("table.your-turn-now", { prompt: whole }) : whole, null, true);
    this.#asked = told;
    this.#askedAt = view.version;
  }

  /** Call whoever would be called when it is their turn, and looks elsewhere. */
  #summon(voice: Voice): void {
    if (!settings.shake && !settings.notify) return;
    void import("../lib/summons").then(({ summon }) => summon(voice.catalogue.name, `/t/${this.id}`)).catch(() => undefined);
  }

  /** Say it where the words have come later than the table. */
  spoken(): void {
    this.#deal();
    this.#offer();
  }

  async #fillLog(): Promise<void> {
    const { version, you, head } = this.table ?? { version: 0, you: null, head: null };
    if (!head?.round) return;
    for (const most of [FEW, MOST]) {
      const told = await this.insist(() => events(this.id, Math.max(0, version - most))).catch(() => null);
      if (!told || this.table?.you !== you || this.table.head.round !== head.round) return;
      const past = told.events.filter((event) => event.version <= version);
      const begun = begins(past);
      past.forEach((event, n) => this.#steps.set(event, this.#stepsOf(past[n - 1]?.view ?? null, event)));
      const entries = past.slice(Math.max(0, begun)).map((event) => this.#entry(event));
      this.log = [...entries, ...this.log.filter((entry) => entry.version > version)];
      this.past = [...past, ...this.past.filter((event) => event.version > version)];
      this.came = version;
      this.#dealt = this.undealt ? lastDeal(past.slice(begun)) : null;
      this.#deal();
      if (begun >= 0 || version <= most) return;
    }
  }

  #checkDeal(): void {
    const table = this.table;
    if (!table) return;
    void check(this.id, table.head, table.you).then((deal) => {
      if (this.table?.head.secret === table.head.secret) this.deal = deal;
    });
  }

  // --- Asking the server ---

  /** Ask until there is an answer. */
  async insist<T>(ask: () => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries++) {
      try {
        return await ask();
      } catch (error) {
        if (this.#closed || !passes(error)) throw error;
        if (tries && !this.table) this.lost = true; // before there is a line that says so
        wake(error instanceof Unreachable);
        await this.#moment(seconds(error) ?? Math.min(8, 0.5 * 2 ** tries));
      }
    }
  }

  /** Wait for a moment, or until the line is back. */
  #moment(seconds: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#restless.delete(done);
        resolve();
      };
      const timer = setTimeout(done, seconds * 1000);
      this.#restless.add(done);
    });
  }

  #tryNow(): void {
    for (const done of this.#restless) done();
  }

  /** Say why something was refused. */
  complain(error: unknown): void {
    if (this.#closed) return;
    const voice = this.voice();
    if (!(error instanceof Refused) || !voice) return interrupt(say("table.failed"));
    const { text, message, clause } = error.problem;
    const told = voice.text(text);
    // Words that came before the server was renewed may lack this one.
    interrupt(told === text.id ? message : told, link(voice.catalogue.game, clause));
  }
}

/** Where the round begins that is played last, with the lots that were drawn before it; -1 where that was before all of these. */
function begins(happened: readonly Event[]): number {
  const begun = happened.findLastIndex((event) => event.kind === "round");
  return happened[begun - 1]?.text.id === "table.drawn" ? begun - 1 : begun;
}

/** The deal of a round, where nothing has been done since. A misdeal may have been thrown in before it. */
function lastDeal(happened: readonly Event[]): Event | null {
  const last = happened.findLast(({ kind }) => kind === "play");
  return last && packetsOf(last).length ? last : null;
}

/** Whether it passes by itself: the server cannot be reached, or has too much to do. */
function passes(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof Refused && (error.status === 429 || error.status >= 500));
}

/** After how many seconds the server wants to be asked again. */
function seconds(error: unknown): number | undefined {
  const told = error instanceof Refused ? error.problem.text.args?.["seconds"] : undefined;
  return typeof told === "number" ? told : undefined;
}

const link = (game: string, clause?: string | null): string | null => (clause ? clauseAddress(game, clause) : null);
