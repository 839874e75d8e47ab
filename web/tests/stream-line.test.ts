import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Line, messages, type Message } from "../src/lib/streamline";
import { now } from "../src/lib/time";

/** A server whose answers are written by hand. */
class Server {
  asked: { address: string; last: string | undefined }[] = [];
  versions = new Set<string | undefined>();
  #sinks: ReadableStreamDefaultController<Uint8Array>[] = [];
  status = 200;

  fetch = (address: string, init: RequestInit): Promise<Response> => {
    this.versions.add((init.headers as Record<string, string>)["mekuri-api"]);
    this.asked.push({ address, last: (init.headers as Record<string, string>)["last-event-id"] });
    if (this.status === 0) return Promise.reject(new TypeError("no network"));
    const body = new ReadableStream<Uint8Array>({ start: (sink) => void this.#sinks.push(sink) });
    const sink = this.#sinks.at(-1);
    init.signal?.addEventListener("abort", () => {
      try {
        sink?.error(new Error("aborted"));
      } catch {
        // it has ended already
      }
    });
    return Promise.resolve(new Response(body, { status: this.status, headers: { "mekuri-time": `${Date.now() + 5000}` } }));
  };

  async say(text: string): Promise<void> {
    this.#sinks.at(-1)?.enqueue(new TextEncoder().encode(text));
    await vi.advanceTimersByTimeAsync(1);
  }

  async end(): Promise<void> {
    this.#sinks.at(-1)?.close();
    await vi.advanceTimersByTimeAsync(1);
  }
}

let server: Server;
let heard: Message[];
let states: string[];
const ears = {
  hear: (message: Message) => void heard.push(message),
  up: () => void states.push("up"),
  down: (status?: number) => void states.push(status ? `down ${status}` : "down"),
};
const event = (version: number): string => `id: ${version}\nevent: event\ndata: {"table":"a","version":${version}}\n\n`;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_700_000_000_000 });
  server = new Server();
  heard = [];
  states = [];
  vi.stubGlobal("fetch", server.fetch);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function open(version: number | null = null): Promise<Line> {
  const line = new Line([["a", version]], ears);
  await vi.advanceTimersByTimeAsync(1);
  return line;
}

describe("a stream", () => {
  test("is requested from the known version", async () => {
    const line = await open(7);
    expect(server.asked).toEqual([{ address: "/api/stream?table=a", last: "7" }]);
    expect(states).toEqual(["up"]);
    expect(now()).toBe(Date.now() + 5000);
    line.close();
  });

  test("resumes after a break, a little later each time", async () => {
    const line = await open();
    expect(server.asked[0]?.last).toBeUndefined();
    await server.say(event(3));
    server.status = 0;
    await server.end();
    expect(states).toEqual(["up", "down"]);
    await vi.advanceTimersByTimeAsync(500);
    expect(server.asked).toHaveLength(2);
    expect(server.asked[1]?.last).toBe("3");
    await vi.advanceTimersByTimeAsync(60_000);
    const tries = server.asked.length;
    expect(tries).toBeGreaterThan(6);
    expect(tries).toBeLessThan(16);
    server.status = 200;
    await vi.advanceTimersByTimeAsync(15_000);
    expect(states.at(-1)).toBe("up");
    line.close();
  });

  test("is retried after a refusal", async () => {
    server.status = 503;
    const line = await open();
    expect(states).toEqual(["down 503"]);
    server.status = 200;
    await vi.advanceTimersByTimeAsync(500);
    expect(states).toEqual(["down 503", "up"]);
    line.close();
  });

  test("has the page's version, and reports when the server refuses it", async () => {
    server.status = 426;
    const line = await open();
    expect(server.versions).toEqual(new Set(["2"]));
    expect(states).toEqual(["down 426"]);
    line.close();
  });

  test("is reopened after the server's goodbye, and after 40 seconds of silence", async () => {
    const line = await open(1);
    await server.say("event: bye\ndata: {}\n\n");
    await vi.advanceTimersByTimeAsync(500);
    expect(server.asked).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(30_000);
    await server.say(":\n\n");
    await vi.advanceTimersByTimeAsync(30_000);
    expect(server.asked).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(11_000);
    expect(server.asked).toHaveLength(3);
    line.close();
  });

  test("is checked when the page becomes visible: reopened if lost or silent for too long", async () => {
    const line = await open(1);
    line.wake();
    line.wake(true);
    expect(server.asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(18_000);
    line.wake();
    await vi.advanceTimersByTimeAsync(1);
    expect(server.asked).toHaveLength(2);
    server.status = 0;
    await server.end();
    await vi.advanceTimersByTimeAsync(20_000);
    const tries = server.asked.length;
    server.status = 200;
    line.wake();
    await vi.advanceTimersByTimeAsync(1);
    expect(server.asked).toHaveLength(tries + 1);
    expect(states.at(-1)).toBe("up");
    line.close();
  });

  test("is checked after another failure", async () => {
    const line = await open(1);
    await vi.advanceTimersByTimeAsync(2000);
    line.wake(true);
    await vi.advanceTimersByTimeAsync(1);
    expect(server.asked).toHaveLength(2);
    expect(states).toEqual(["up", "up"]);
    line.close();
  });

  test("for other tables resumes from the last events; a renewed one does not", async () => {
    const line = await open();
    await server.say(event(5));
    line.follow([
      ["a", 2],
      ["b", null],
    ]);
    await vi.advanceTimersByTimeAsync(1);
    expect(server.asked[1]).toEqual({ address: "/api/stream?table=a&table=b", last: "5," });
    await server.say('id: 6,9\nevent: table\ndata: {"id":"b"}\n\n');
    expect([...line.versions]).toEqual([
      ["a", 6],
      ["b", 9],
    ]);
    line.renew();
    await vi.advanceTimersByTimeAsync(1);
    expect(server.asked[2]?.last).toBeUndefined();
    expect(states).not.toContain("down");
    line.close();
  });

  test("that was closed is not opened again", async () => {
    const line = await open();
    line.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.asked).toHaveLength(1);
    expect(states).toEqual(["up"]);
  });
});

test("messages come apart wherever the network cuts them", async () => {
  const text = `retry: 1000\n\n:\n\n${event(1)}id: 2\nevent: presence\ndata: {"a":"あ"}\n\n`;
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array>({
    start(sink) {
      for (const byte of bytes) sink.enqueue(Uint8Array.of(byte));
      sink.close();
    },
  });
  let beats = 0;
  const found = [];
  for await (const message of messages(body, () => beats++)) found.push(message);
  expect(found).toEqual([
    ["event", '{"table":"a","version":1}', "1"],
    ["presence", '{"a":"あ"}', "2"],
  ]);
  expect(beats).toBeGreaterThan(10);
});
