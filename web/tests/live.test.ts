import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Follower } from "../src/lib/stream";
import type { Voice } from "../src/lib/voice";
import type { Event, Head, Legal, Table, View } from "../src/wire";

const server = vi.hoisted(() => ({
  showTable: vi.fn(),
  events: vi.fn(),
  play: vi.fn(),
  ready: vi.fn(),
  worths: vi.fn(),
  wake: vi.fn(),
  stop: vi.fn(),
  interrupt: vi.fn(),
  dismiss: vi.fn(),
  pace: 1,
  still: false,
  follower: null as Follower | null,
}));

vi.mock("../src/lib/api", () => ({
  ...server,
  Refused: class extends Error {
    constructor(
      readonly status: number,
      readonly problem: unknown,
    ) {
      super();
    }
  },
  Unreachable: class extends Error {},
}));
vi.mock("../src/lib/language.svelte", () => ({ say: (key: string) => key }));
vi.mock("../src/lib/notice.svelte", () => ({ interrupt: server.interrupt, dismiss: server.dismiss }));
vi.mock("../src/lib/settings.svelte", () => ({
  pace: () => (server.still ? 0 : server.pace),
  stillness: () => server.pace,
  settings: { shake: false, notify: false },
}));
vi.mock("../src/lib/start", () => ({ takeHanded: () => null }));
vi.mock("../src/lib/stream", () => ({
  follow: (_table: string, _version: unknown, follower: Follower) => {
    server.follower = follower;
    return server.stop;
  },
  wake: server.wake,
}));

const { Live } = await import("../src/table/live.svelte");
const { Refused, Unreachable } = await import("../src/lib/api");
const { again } = await import("../src/table/again");

const HEAD: Head = {
  state: "running",
  why: null,
  round: 1,
  seats: [],
  commitment: "",
  secret: null,
  cuts: [],
  winners: null,
  rematch: null,
};
const card = (action: string): Legal => ({ action, text: { id: "card", args: { card: action } }, takes: [], choices: [] });

function view(version: number, legal: string[] = [], you: number | null = 0): View {
  return {
    game: "g",
    version,
    you,
    dealer: 0,
    waiting: legal.length ? [0] : [1],
    closes: null,
    prompt: legal.length ? { id: "prompts.play" } : null,
    shape: "faces",
    zones: [],
    legal: legal.map(card),
    refused: [],
    score: [],
    near: [],
    over: false,
    ending: null,
    returns: null,
    next_dealer: null,
    ledger: [],
    accounts: {},
    middle: {},
  };
}

function table(version: number, legal: string[] = [], you: number | null = 0): Table {
  const shown = view(version, legal, you);
  return {
    id: "t",
    game: "g",
    ruleset: 1,
    options: {},
    match_options: {},
    length: 0,
    public: false,
    seating: "order",
    first_dealer: null,
    version,
    you,
    head: HEAD,
    presence: [],
    view: shown,
  };
}

function event(version: number, legal: string[] = [], kind: Event["kind"] = "play", you: number | null = 0): Event {
  return {
    table: "t",
    version,
    kind,
    seat: 1,
    action: null,
    text: { id: `e${version}` },
    head: null,
    view: view(version, legal, you),
  };
}

const voice = {
  text: (text: { id: string }) => (text.id === "errors.newer" ? text.id : `«${text.id}»`),
  entry: (table: string, key: string) => `${table} ${key}`,
  catalogue: { game: "g" },
  clause: (id: string) => `/rules/g#${id}`,
};
const tell = (event: Event): void => server.follower?.hear({ kind: "event", event: event });
const settle = (ms = 1): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

async function come(start: Table): Promise<InstanceType<typeof Live>> {
  server.showTable.mockResolvedValue(start);
  const live = new Live("t", () => voice as unknown as Voice);
  await live.come();
  await settle();
  return live;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("document", { hidden: false });
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => {} });
  for (const mock of Object.values(server)) if (vi.isMockFunction(mock)) mock.mockReset();
  server.pace = 1;
  server.still = false;
  server.worths.mockResolvedValue(null);
  server.events.mockImplementation(async (_id: string, since: number) => ({ events: [], table: table(since) }));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("versions", () => {
  test("the next event is applied, a known one is not applied twice", async () => {
    const live = await come(table(5));
    tell(event(6));
    tell(event(6, ["1H"]));
    tell(event(4, ["1H"]));
    expect(live.table?.version).toBe(6);
    expect(live.legal).toEqual([]);
    expect(live.log.map((entry) => entry.text.id)).toEqual(["e6"]);
  });

  test("missed events are requested, and shown in order", async () => {
    const live = await come(table(5));
    server.events.mockResolvedValue({ events: [event(6), event(7), event(8, ["1H"])], table: table(8, ["1H"]) });
    tell(event(8, ["1H"]));
    await settle();
    expect(server.events).toHaveBeenLastCalledWith("t", 5);
    live.hurry();
    expect(live.table?.version).toBe(8);
    expect(live.log.map((entry) => entry.version)).toEqual([6, 7, 8]);
  });

  test("after too many missed events the whole table is loaded", async () => {
    const live = await come(table(5));
    server.events.mockResolvedValue({ events: [], table: table(900, ["2K"]) });
    tell(event(900, ["2K"]));
    await settle();
    expect(live.shown?.version).toBe(900);
    expect(live.legal.map((legal) => legal.action)).toEqual(["2K"]);
  });

  test("an event for another viewer is ignored", async () => {
    const live = await come(table(5, [], null));
    server.events.mockResolvedValue({ events: [event(6, [], "play", 0)], table: table(12, ["1H"], 0) });
    tell(event(6, ["1H"], "play", 0));
    await settle();
    expect(live.table?.you).toBe(0);
    expect(live.table?.version).toBe(12);
  });

  test("an older answer does not take the table back, the stream's own table does", async () => {
    const live = await come(table(5));
    live.take(table(4, ["1H"]));
    expect(live.table?.version).toBe(5);
    server.follower?.hear({ kind: "table", table: table(2) });
    expect(live.table?.version).toBe(2);
  });
});

describe("pace", () => {
  test("events are shown one by one, and actions are possible after all of them", async () => {
    const live = await come(table(5));
    for (const version of [6, 7]) tell(event(version));
    tell(event(8, ["1H"]));
    expect(live.shown?.version).toBe(6);
    expect(live.behind).toBe(true);
    expect(live.legal).toHaveLength(0);
    expect(server.interrupt).not.toHaveBeenCalled();
    await settle(1800);
    expect(live.shown?.version).toBe(8);
    expect(live.legal).toHaveLength(0); // the last has been shown, and not looked at
    await settle(900);
    expect(live.behind).toBe(false);
    expect(live.legal).toHaveLength(1);
    expect(server.interrupt).toHaveBeenCalledExactlyOnceWith("table.your-turn-now", null, true);
  });

  test("without pace everything is shown at once, and each turn is announced", async () => {
    server.pace = 0;
    const live = await come(table(5, ["1H"]));
    for (const version of [6, 7]) tell(event(version));
    tell(event(8, ["2H"]));
    expect(live.shown?.version).toBe(8);
    expect(server.interrupt).toHaveBeenCalledTimes(2);
  });

  test("a question with a time limit is asked at once, and once", async () => {
    const live = await come(table(5));
    const asking = event(8, ["notta"]);
    asking.view = { ...view(8, ["notta"]), closes: Date.now() + 9000 };
    for (const version of [6, 7]) tell(event(version));
    expect(live.asking?.version).toBe(6);
    tell(asking);
    expect(live.shown?.version).toBe(6);
    expect(live.asking).toBe(asking.view);
    expect(server.interrupt).toHaveBeenCalledExactlyOnceWith("table.your-turn-now", null, true);
    expect(live.legal).toHaveLength(1);
    await settle(1800);
    expect(live.shown?.version).toBe(8);
    expect(server.interrupt).toHaveBeenCalledTimes(1);
    tell(event(9));
    tell(event(10, ["1H"]));
    await settle(3600);
    expect(server.interrupt).toHaveBeenCalledTimes(2);
  });

  test("the viewer's own action is shown quickly", async () => {
    const live = await come(table(5, ["1H"]));
    tell({ ...event(6), seat: 0 });
    tell(event(7));
    await settle(300);
    expect(live.shown?.version).toBe(7);
  });

  test("a press shows the newest view at once, and its actions are possible", async () => {
    const live = await come(table(5));
    for (const version of [6, 7]) tell(event(version));
    tell(event(8, ["1H"]));
    expect(live.slow).toBe(true);
    live.hurry();
    expect([live.shown?.version, live.slow, live.legal.length]).toEqual([8, false, 1]);
  });

  test.each([0, 1])("the events since the viewer's last turn are replayed, at pace %i, and announced once", async (pace) => {
    server.pace = pace;
    const live = await come(table(5, ["1H"]));
    tell({ ...event(6), seat: 0 });
    expect(again(live)).toBeNull();
    tell(event(7));
    tell(event(8, ["2H"]));
    await settle(3000);
    const counts = [live.log.length, server.interrupt.mock.calls.length];
    again(live)?.();
    expect([live.shown?.version, live.legal.length, again(live)]).toEqual([7, 0, null]);
    await settle(900);
    expect(live.shown?.version).toBe(8);
    await settle(900);
    expect([live.legal.length, again(live)]).toEqual([1, expect.any(Function)]);
    expect([live.log.length, server.interrupt.mock.calls.length]).toEqual(counts);
  });

  test("a late viewer can replay them as well, with a bot's actions for the viewer", async () => {
    const past = [event(3), { ...event(4), seat: 0 }, { ...event(5), kind: "hold" as const, seat: 0 }, { ...event(6), seat: 0 }];
    const back = { ...event(7), kind: "back" as const, seat: 0 };
    server.events.mockResolvedValue({ events: [{ ...event(2), kind: "round" }, ...past, back], table: table(7, ["1H"]) });
    const live = await come(table(7, ["1H"]));
    expect([live.came, live.past.map(({ version }) => version)]).toEqual([7, [2, 3, 4, 5, 6, 7]]);
    again(live)?.();
    expect(live.shown?.version).toBe(6);
    await settle(3000);
    expect([live.shown?.version, live.behind]).toEqual([7, false]);
    expect(live.log.map(({ version }) => version)).toEqual([2, 3, 4, 5, 6, 7]);
  });

  test("events during a replay follow it", async () => {
    const live = await come(table(5, ["1H"]));
    tell({ ...event(6), seat: 0 });
    tell(event(7));
    await settle(3000);
    again(live)?.();
    tell(event(8));
    expect(live.shown?.version).toBe(7);
    await settle(900);
    expect(live.shown?.version).toBe(8);
    expect(live.log.map((entry) => entry.version)).toContain(8);
  });

  /** An event in which a seat makes a yaku. */
  function making(version: number, ...made: string[]): Event {
    const score = made.map((yaku) => ({
      seat: 1,
      text: { id: "lines.yaku", args: { yaku } },
      cards: ["1I"],
      points: 5,
      clause: "",
    }));
    return { ...event(version), view: { ...view(version), score } };
  }

  test("a moment is shown after what led to it, and shorter when it comes again in the round", async () => {
    const live = await come(table(5));
    tell(making(6, "blue"));
    tell(making(7, "blue", "red"));
    expect([live.shown?.version, live.moment]).toEqual([6, null]);
    await settle(900);
    expect(live.moment).toMatchObject({ kind: "yaku", yaku: "blue" });
    await settle(2099);
    expect([live.shown?.version, live.moment?.kind]).toEqual([6, "yaku"]);
    await settle(1 + 900);
    expect([live.shown?.version, live.moment]).toMatchObject([7, { yaku: "red" }]);
    await settle(1259);
    expect(live.behind).toBe(true);
    await settle(1);
    expect([live.behind, live.moment]).toEqual([false, null]);
    expect(live.log.map(({ moments }) => moments.length)).toEqual([1, 1]);
  });

  test("a press ends a moment", async () => {
    const live = await come(table(5));
    tell(making(6, "blue"));
    await settle(900);
    live.hurry();
    expect([live.moment, live.behind]).toEqual([null, false]);
  });

  test("with reduced motion a moment is a still picture, and nothing else waits", async () => {
    server.still = true;
    const live = await come(table(5));
    tell(event(6));
    expect(live.behind).toBe(false);
    tell(making(7, "blue"));
    expect([live.shown?.version, live.moment?.kind]).toEqual([7, "yaku"]);
    await settle(2100);
    expect([live.moment, live.behind]).toEqual([null, false]);
  });

  test.each([0, 1, 3])("with reduced motion a capture is a still picture, at pace %i", async (pace) => {
    [server.still, server.pace] = [true, pace];
    const zone = (id: string, ...cards: string[]) => ({ id, owner: null, kind: id, layout: "", cards, count: cards.length });
    const live = await come(table(5));
    tell({ ...event(6), view: { ...view(6), zones: [zone("field", "1H"), zone("hand", "1K")] } });
    expect(live.behind).toBe(false);
    const text = { id: "events.play-takes", args: { card: "1K", cards: ["1H"] } };
    tell({ ...event(7, ["2H"]), text, view: { ...view(7, ["2H"]), zones: [zone("captured", "1K", "1H")] } });
    await settle(Math.max(0, 600 * pace - 1));
    expect([live.shown?.version, live.behind, live.legal.length]).toEqual(pace ? [7, true, 0] : [7, false, 1]);
    await settle();
    expect([live.behind, live.legal.length]).toEqual([false, 1]);
  });

  test("without pace a moment is only announced", async () => {
    server.pace = 0;
    const live = await come(table(5));
    tell(making(6, "blue"));
    expect([live.moment, live.behind]).toEqual([null, false]);
    expect(live.log.at(-1)?.moments).toHaveLength(1);
  });

  test("a new round begins a new log", async () => {
    server.pace = 0;
    const live = await come(table(5));
    tell(event(6));
    tell(event(7, [], "round"));
    tell(event(8));
    expect(live.log.map((entry) => entry.version)).toEqual([7, 8]);
  });
});

describe("acting", () => {
  test("shows the newest first, and says that the card is on its way until it is seen", async () => {
    const live = await come(table(5));
    for (const version of [6, 7]) tell(event(version));
    tell(event(8, ["1H"]));
    server.play.mockResolvedValue({ table: "t", action: "1H", version: 9 });
    const done = live.act("1H");
    expect(live.shown?.version).toBe(8);
    expect(live.sending).toBe("1H");
    expect(live.legal).toEqual([]);
    expect(server.play).toHaveBeenCalledWith("t", 8, "1H");
    await done;
    expect(live.sending).toBe("1H");
    tell(event(9));
    expect(live.sending).toBeNull();
  });

  test("is repeated unchanged until it is answered", async () => {
    const live = await come(table(5, ["1H"]));
    server.play
      .mockRejectedValueOnce(new Unreachable())
      .mockRejectedValueOnce(new Unreachable())
      .mockResolvedValue({ table: "t", action: "1H", version: 6 });
    void live.act("1H");
    void live.act("1H");
    await settle(5000);
    expect(server.play.mock.calls).toEqual(Array(3).fill(["t", 5, "1H"]));
    expect(server.wake).toHaveBeenCalled();
  });

  test("is repeated as soon as the stream is back", async () => {
    const live = await come(table(5, ["1H"]));
    server.play.mockRejectedValueOnce(new Unreachable()).mockResolvedValue({ table: "t", action: "1H", version: 6 });
    void live.act("1H");
    await settle(10);
    expect(server.play).toHaveBeenCalledTimes(1);
    server.follower?.line({ up: true });
    await settle(1);
    expect(server.play).toHaveBeenCalledTimes(2);
  });

  test("that is illegal gets the reason, with the clause", async () => {
    const live = await come(table(5, ["1H"]));
    const problem = { error: "illegal", message: "No.", text: { id: "refusals.no" }, clause: "g.play.no" };
    server.play.mockRejectedValue(new Refused(422, problem));
    await live.act("1H");
    expect(live.sending).toBeNull();
    expect(server.interrupt).toHaveBeenLastCalledWith("«refusals.no»", "/rules/g#g.play.no");
  });

  test("that is refused with an unknown text shows the server's own", async () => {
    const live = await come(table(5, ["1H"]));
    server.play.mockRejectedValue(
      new Refused(403, { error: "newer", message: "Something new.", text: { id: "errors.newer" }, clause: null }),
    );
    await live.act("1H");
    expect(server.interrupt).toHaveBeenLastCalledWith("Something new.", null);
  });

  test("that is refused after the viewer has left the table interrupts nothing", async () => {
    const live = await come(table(5, ["1H"]));
    server.play.mockRejectedValue(
      new Refused(409, { error: "stale", message: "Late.", text: { id: "errors.stale" }, clause: null }),
    );
    const acting = live.act("1H");
    server.interrupt.mockReset();
    live.close();
    await acting;
    expect(server.interrupt).not.toHaveBeenCalled();
  });

  test("that came too late loads the newest view", async () => {
    const live = await come(table(5, ["1H"]));
    const problem = { error: "stale", message: "Late.", text: { id: "errors.stale" }, clause: null };
    server.play.mockRejectedValue(new Refused(409, problem));
    server.events.mockResolvedValue({ events: [event(6)], table: table(6) });
    await live.act("1H");
    live.hurry();
    expect(live.shown?.version).toBe(6);
    expect(live.sending).toBeNull();
  });

  test("is requested if the stream does not deliver it", async () => {
    const live = await come(table(5, ["1H"]));
    server.play.mockResolvedValue({ table: "t", action: "1H", version: 6 });
    server.events.mockResolvedValue({ events: [event(6)], table: table(6) });
    await live.act("1H");
    await settle(2000);
    expect(live.table?.version).toBe(6);
    expect(live.sending).toBeNull();
  });

  test("clears an earlier refusal; an action that is not offered does nothing", async () => {
    const live = await come(table(5, ["1H"]));
    await live.act("2H");
    expect(server.play).not.toHaveBeenCalled();
    expect(server.dismiss).not.toHaveBeenCalled();
    void live.act("1H");
    expect(server.dismiss).toHaveBeenCalledTimes(1);
  });
});

test("a deleted table is reported, and leaves the stream to others", async () => {
  const live = await come(table(5));
  server.events.mockRejectedValue(
    new Refused(404, { error: "no-such-table", message: "Gone.", text: { id: "errors.no-such-table" }, clause: null }),
  );
  server.follower?.line({ up: false });
  await settle(3000);
  expect(live.failure).toBeInstanceOf(Refused);
  expect(server.stop).toHaveBeenCalledTimes(1);
});

test("a short loss of the stream is not reported, a long one is", async () => {
  const live = await come(table(5));
  server.follower?.line({ up: false });
  await settle(800);
  server.follower?.line({ up: true });
  await settle(3000);
  expect(live.lost).toBe(false);
  server.follower?.line({ up: false });
  await settle(800);
  server.follower?.line({ up: false }); // tried again, and still down
  await settle(800);
  expect(live.lost).toBe(true);
  server.follower?.line({ up: true });
  expect(live.lost).toBe(false);
});
