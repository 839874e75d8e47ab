// The state of a live table: the newest view, and the view that is shown.

import { flushSync } from "svelte";
import { events, play, ready, Refused, showTable, Unreachable, worths } from "../lib/api";
import { say } from "../lib/language.svelte";
import { dismiss, interrupt } from "../lib/notice.svelte";
import { pace, settings, stillness } from "../lib/settings.svelte";
import { takeHanded } from "../lib/start";
import { follow, wake, type Message, type Standing } from "../lib/stream";
import { now } from "../lib/time";
import type { Voice } from "../lib/voice";
import type { Event, Events, Legal, Table, Text, View, Worths } from "../wire";
import { note } from "./fair";
import { lately } from "./fresh";
import { DEALING, lasts, leads, looked, meets, momentsOf, packetsOf, STILL, type Kind, type Moment } from "./moments";
import { Queue } from "./queue";
import { saidBy, type Said } from "./saying";
import { secondsUntil } from "./seats";

/** An event as the log shows it. */
export interface Entry {
  version: number;
  text: Text;
  moments: readonly Moment[]; // not part of the text
  said: Said | null; // a phrase that a person says across the table
}

/** A step that is shown: an event, or a moment of it. */
interface Step {
  event: Event;
  moment: Moment | null;
  look: number; // milliseconds, at normal speed
  still: number; // the same with reduced motion
  opening?: true; // whether it is the first deal, and known
}

const SAID = 5000; // milliseconds for which a phrase stands at a name
const BLINK = 1200; // milliseconds until a lost connection is reported
const LATE = 1500; // milliseconds until an answered action should arrive on the stream
const FIRST = 8; // events that may come before a first deal, with its own: people sit down, a dealer is drawn
const [FEW, MOST] = [50, 200]; // events of the past that are requested: few, then as many as the server keeps if those were not the whole round

/** Return whether the time limit is too short to watch events first. With days a move there is time. */
function hurried(view: View | null | undefined): boolean {
  return view != null && view.closes !== null && view.due == null;
}

export class Live {
  table = $state.raw<Table | null>(null); // the newest view
  shown = $state.raw<View | null>(null); // the shown view: behind the newest while events are still being shown
  event = $state.raw<Event | null>(null); // the event before the shown view
  moment = $state.raw<Moment | null>(null); // the moment shown large over the table
  looks = $state(0); // its duration in milliseconds
  behind = $state(false);
  undealt = $state(false); // whether it is not known yet if the deal is still to be shown
  opening = $state.raw<Event | null>(null); // the deal, if the viewer arrived before it
  log = $state.raw<Entry[]>([]); // of the round
  past = $state.raw<Event[]>([]); // the newest of the events that were shown or came before
  came = $state(0); // the version up to which events came before
  said = $state.raw<readonly Said[]>([]); // phrases of the moment, one a seat
  sending = $state.raw<string | null>(null); // the action that is on its way
  going = $state(false); // whether the request for the next round is on its way
  lost = $state(false); // whether the stream is open
  failure = $state.raw<Refused | Unreachable | null>(null); // why there is no table
  worths = $state.raw<Worths | null>(null);

  readonly #queue = new Queue<Step>(
    (shown) => this.#show(shown),
    (step) => this.#look(step),
    () => !this.#again && (stillness() === 0 || document.hidden),
  );
  #steps = new WeakMap<Event, Step[]>(); // how to show each kind
  #known = new Set<Kind>(); // the moments of the round so far
  #stop = (): void => {};
  #closed = false;
  #dealt: Event | null = null; // the first deal, still to be shown
  #catching: Promise<void> | null = null;
  #again = false; // whether a replay is running
  #missed = false; // whether an event that does not follow on the others arrived meanwhile
  #asked: string | null = null; // the question that was announced to the viewer
  #askedAt = 0; // the version at which
  #sentAt = 0; // the version that the action on its way answers
  #blink: ReturnType<typeof setTimeout> | undefined;
  #restless = new Set<() => void>(); // callbacks that wait before a retry

  constructor(
    readonly id: string,
    private readonly voice: () => Voice | null,
  ) {}

  /** Return the viewer's legal actions: after the events before them were shown, or at once if the time limit is short. */
  get legal(): readonly Legal[] {
    const newest = this.table?.view;
    return !newest || this.sending !== null || this.slow ? [] : newest.legal;
  }

  /** Return whether the viewer has to wait because an event is still being shown; the first deal delays nothing. */
  get slow(): boolean {
    const newest = this.table?.view;
    return this.behind && !hurried(newest) && !(this.opening && this.shown === newest);
  }

  /** Return the events since the viewer's last action, with their present one; for spectators, those of the last seat. */
  get last(): readonly Text[] {
    return lately(
      this.log.filter((entry) => !entry.said).map((entry) => entry.text),
      this.table?.you ?? null,
    );
  }

  /** Return the view with the question: the newest if the time limit is short, else the shown one. */
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

  /** Show the newest view at once: the viewer acts, and waits for nothing. */
  hurry(): void {
    this.#queue.jump();
  }

  /** Replay the events after a view. */
  showAgain(from: View | null, events: readonly Event[]): void {
    if (this.behind) return;
    this.#again = true; // the viewer asked for it, even with reduced motion
    this.shown = from;
    this.event = null;
    for (const event of events) this.#put(event);
    this.behind = this.#queue.busy;
  }

  /** Play a legal action. It is sent until it is answered; it happens once. */
  async act(action: string): Promise<void> {
    this.hurry();
    const view = this.table?.view;
    if (!view || this.sending !== null || !view.legal.some((legal) => legal.action === action)) return;
    dismiss(); // an earlier refusal is settled
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

  /** Explain why the chosen card cannot be played now. */
  refuse(card: string): void {
    this.hurry();
    const view = this.shown;
    const voice = this.voice();
    const found = view?.refused.find((each) => each.card === card);
    if (found && voice && view) interrupt(voice.text(found.text), link(voice, found.clause));
    else interrupt(say("table.not-here"));
  }

  /** Go to the next round, ask for the match to end here, or answer that request. */
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

  /** Take a whole table, unless it is older than the known one. A table from the stream is always taken. */
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
    this.#offer();
    this.log = this.past = [];
    this.opening = this.#dealt = null;
    this.undealt = before === null && table.head.round === 1 && table.version <= FIRST && table.view?.over === false && pace() > 0;
    void this.#fillLog().finally(() => (this.undealt = false));
  }

  /** Show the first deal, once the table's texts are loaded. */
  #deal(): void {
    const event = this.#dealt;
    if (!event || !this.voice()) return;
    this.#dealt = null;
    if (event.version !== this.table?.version) return;
    this.#queue.put({ event, moment: null, look: DEALING, still: 0, opening: true });
    this.behind = this.#queue.busy;
  }

  /** Arrive at the table. */
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

  // --- Events ---

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
        void this.#catchUp(); // the server may also refuse a stream because the table no longer exists
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
    if (this.sending !== null && event.version > this.#sentAt && event.kind !== "say") this.sending = null;
    this.#put(event);
    this.behind = this.#queue.busy;
    this.#offer();
  }

  /** Return how an event is shown: by itself, with its moments before or after it. */
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

  /** Return the duration of a step. With reduced motion, moments and captures are still pictures, and all other steps take no time. */
  #look({ look, still }: Step): number {
    return (pace() || this.#again ? look : still) * (stillness() || Number(this.#again));
  }

  /** The stream should deliver what the server has answered; if it does not, request it. */
  #expect(version: number): void {
    setTimeout(() => {
      if ((this.table?.version ?? 0) < version) void this.#catchUp();
    }, LATE);
  }

  /** Request missed events. */
  #catchUp(): Promise<void> {
    this.#missed = true;
    this.#catching ??= this.#ask().finally(() => (this.#catching = null));
    return this.#catching;
  }

  async #ask(): Promise<void> {
    while (this.#missed && this.table && !this.#closed) {
      this.#missed = false;
      const since = this.table.version;
      let missed: Events;
      try {
        missed = await events(this.id, since);
      } catch (error) {
        if (error instanceof Refused && error.status === 404) this.#gone(error);
        else wake(true); // the stream delivers it after it reconnects
        return;
      }
      if (missed.table.you === this.table.you) for (const event of missed.events) this.#apply(event);
      this.take(missed.table);
    }
  }

  /** The table no longer exists: leave the stream to other tables, which would be refused with it. */
  #gone(failure: Refused): void {
    this.failure = failure;
    this.#stop();
  }

  // --- Display ---

  #show(steps: Step[]): void {
    const happened = steps.filter(({ moment, opening }) => !moment && !opening).map(({ event }) => event);
    const step = steps.at(-1);
    for (const event of happened) this.#hearSaid(saidBy(event));
    this.behind = this.#queue.busy;
    this.#again &&= this.behind;
    this.opening = this.behind && step?.opening ? step.event : null;
    this.moment = this.behind ? (step?.moment ?? null) : null;
    this.looks = step ? this.#look(step) : 0;
    // A capture starts where the cards were laid, which was shown at once.
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
    const known = this.log.at(-1)?.version ?? 0; // a replay is not announced
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

  /** Announce the viewer's turn, or the next question within it. */
  #offer(): void {
    const view = this.asking;
    const voice = this.voice();
    if ((this.behind && view === this.shown) || !view?.legal.length || !voice) return;
    const question = view.prompt ? voice.text(view.prompt) : "";
    if (question === this.#asked) return;
    const closes = hurried(view) ? view.closes : null;
    const clock = closes === null ? "" : say("table.closes", { seconds: secondsUntil(closes, now()) });
    const whole = [question, clock].filter(Boolean).join(" ");
    if (this.#asked === null) this.#summon(voice);
    interrupt(this.#asked === null ? say("table.your-turn-now", { prompt: whole }) : whole, null, true);
    this.#asked = question;
    this.#askedAt = view.version;
  }

  /** Notify a viewer whose turn it is and who looks elsewhere. */
  #summon(voice: Voice): void {
    if (!settings.shake && !settings.notify) return;
    void import("../lib/summons").then(({ summon }) => summon(voice.catalogue.name, `/t/${this.id}`)).catch(() => undefined);
  }

  /** Announce it if the texts are loaded after the table. */
  spoken(): void {
    this.#deal();
    this.#offer();
  }

  async #fillLog(): Promise<void> {
    const { version, you, head } = this.table ?? { version: 0, you: null, head: null };
    if (!head?.round) return;
    for (const most of [FEW, MOST]) {
      const earlier = await this.insist(() => events(this.id, Math.max(0, version - most))).catch(() => null);
      if (!earlier || this.table?.you !== you || this.table.head.round !== head.round) return;
      const past = earlier.events.filter((event) => event.version <= version);
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

  // --- Requests ---

  /** Repeat a request until it is answered. If the server refuses it twice, for example with a full disk, its reason is shown. */
  async insist<T>(ask: () => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries++) {
      try {
        return await ask();
      } catch (error) {
        if (this.#closed || !passes(error)) throw error;
        if (tries && !this.table) this.lost = true; // before a stream reports it
        if (tries === 1 && error instanceof Refused) this.complain(error);
        wake(error instanceof Unreachable);
        await this.#moment(seconds(error) ?? Math.min(8, 0.5 * 2 ** tries));
      }
    }
  }

  /** Wait for a moment, or until the stream is back. */
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

  /** Report why a request was refused. */
  complain(error: unknown): void {
    if (this.#closed) return;
    const voice = this.voice();
    if (!(error instanceof Refused) || !voice) return interrupt(say("table.failed"));
    const { text, message, clause } = error.problem;
    const reason = voice.text(text);
    // Texts that were loaded before an upgrade of the server may lack this one.
    interrupt(reason === text.id ? message : reason, link(voice, clause));
  }
}

/** Return where the last round begins, with the lots that were drawn before it; -1 if it began before all of these events. */
function begins(happened: readonly Event[]): number {
  const begun = happened.findLastIndex((event) => event.kind === "round");
  return happened[begun - 1]?.text.id === "table.drawn" ? begun - 1 : begun;
}

/** Return the deal of a round in which nothing has been played since. A misdeal may come before it. */
function lastDeal(happened: readonly Event[]): Event | null {
  const last = happened.findLast(({ kind }) => kind === "play");
  return last && packetsOf(last).length ? last : null;
}

/** Return whether an error is temporary: the server is unreachable or overloaded. */
function passes(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof Refused && (error.status === 429 || error.status >= 500));
}

/** Return the delay in seconds that the server asks for. */
function seconds(error: unknown): number | undefined {
  const seconds = error instanceof Refused ? error.problem.text.args?.["seconds"] : undefined;
  return typeof seconds === "number" ? seconds : undefined;
}

const link = (voice: Voice, clause?: string | null): string | null => (clause ? voice.clause(clause) : null);
