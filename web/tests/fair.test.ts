import { afterEach, describe, expect, test } from "vitest";
import { check } from "../src/table/check";
import { note, noted } from "../src/table/fair";
import type { Head } from "../src/wire";

// The chain of docs/fair.md: a root that everybody knows, of 32 bytes 0.
const COMMITMENT = "836ccad07aa4f5686e7556af1955d88eddd26cd9e80475654d592efb08d9d952";
const SECRETS = [
  "36c1cb4f826ae42ceba848227e0c5f786178ca9dceca6772e5d728d09c30a2f6",
  "d7629036bbc8ea654d34db3b4fc62d79ee9ee8fe845d8fdb61b2e589c41dcdaa",
  "64ff3a6648b0bcadc9949e58c001b0fefa1a9b8d9370bf73f4d0b39a23394a53",
];

function head(changes: Partial<Head> = {}): Head {
  return {
    state: "running",
    why: null,
    round: 1,
    seats: [],
    commitment: COMMITMENT,
    secret: null,
    cuts: ["tsuru", "kame"],
    winners: null,
    rematch: null,
    ...changes,
  };
}

function shelf(): Pick<Storage, "getItem" | "setItem"> {
  const kept = new Map<string, string>();
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) };
}

const opened = (round: number): Head =>
  head({ round, secret: SECRETS[round - 1] as string, commitment: SECRETS[round - 1] as string });

const storage = Object.getOwnPropertyDescriptor(globalThis, "localStorage");
afterEach(() => {
  if (storage) Object.defineProperty(globalThis, "localStorage", storage);
  else Reflect.deleteProperty(globalThis, "localStorage");
});

describe("whether the server keeps to its commitment", () => {
  test("no secret is opened before a round is over", async () => {
    const kept = shelf();
    note("t", head(), "tsuru", kept);
    expect(noted("t", kept)?.commitment).toBe(COMMITMENT);
    expect(await check("t", head(), 0, kept)).toBe("unopened");
  });

  test("every secret hashes to it, also in rounds that this browser did not see", async () => {
    const kept = shelf();
    note("t", head(), "tsuru", kept);
    expect(await check("t", opened(1), 0, kept)).toBe("checked");
    expect(await check("t", opened(3), 0, kept)).toBe("checked");
  });

  test("a different secret, commitment or cut is noticed", async () => {
    const kept = shelf();
    note("t", head(), "tsuru", kept);
    expect(await check("t", opened(1), 1, kept)).toBe("broken");
    expect(await check("t", { ...opened(1), secret: "00".repeat(32) }, 0, kept)).toBe("broken");
    expect(await check("t", head({ commitment: "00".repeat(32) }), 0, kept)).toBe("broken");
    // The secret of the third round cannot have been opened after the first.
    expect(await check("t", { ...opened(3), round: 1 }, 0, kept)).toBe("broken");
  });

  test("a late viewer can check from then on", async () => {
    const kept = shelf();
    note("t", opened(1), undefined, kept);
    expect(await check("t", opened(1), null, kept)).toBe("late");
    expect(await check("t", opened(2), null, kept)).toBe("checked");
    expect(await check("t", opened(2), null, shelf())).toBe("late");
  });

  test("the first note stays, and a cut is added to it", async () => {
    const kept = shelf();
    note("t", head(), undefined, kept);
    note("t", head({ commitment: "11".repeat(32) }), "tsuru", kept);
    expect(noted("t", kept)?.commitment).toBe(COMMITMENT);
    expect(await check("t", head({ cuts: ["other", ""] }), 0, kept)).toBe("broken");
  });

  test("standing up and sitting down again, in any tab, notes a new cut", async () => {
    const kept = shelf();
    note("t", head(), "tsuru", kept);
    note("t", head(), "ume", kept);
    expect(await check("t", head({ cuts: ["ume", "kame"] }), 0, kept)).toBe("unopened");
  });

  test("notes of old tables are dropped, those of new ones stay", () => {
    const kept = shelf();
    for (let n = 0; n < 300; n++) note(`t${n}`, head(), undefined, kept);
    expect(noted("t299", kept)?.commitment).toBe(COMMITMENT);
    expect(noted("t0", kept)).toBeUndefined();
  });

  test("without storage there is no note, and nothing breaks", async () => {
    Object.defineProperty(globalThis, "localStorage", {
      configurable: true,
      get: () => {
        throw new Error("forbidden");
      },
    });
    note("t", head(), "tsuru");
    expect(noted("t")).toBeUndefined();
    expect(await check("t", opened(1), 0)).toBe("late");
  });

  test("without a hash function nothing can be checked", async () => {
    const kept = shelf();
    note("t", head(), undefined, kept);
    expect(await check("t", opened(1), 0, kept, null)).toBe("unable");
  });
});
