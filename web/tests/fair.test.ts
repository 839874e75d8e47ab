import { describe, expect, test } from "vitest";
import { check, commitment, note } from "../src/table/fair";
import type { Head } from "../src/wire";

// The chain of docs/fair.md: a root that everybody knows, of 32 bytes 0.
COMMIT

function head(changes: Partial<Head> = {}): Head {
    return { state: "running", why: null, round: 1, seats: [], commitment: COMMITMENT, secret: null, cuts: ["tsuru", "kame"], winners: null, ...changes };
}

function shelf(): Pick<Storage, "getItem" | "setItem"> {
    const kept = new Map<string, string>();
    return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) };
}

const opened = (round: number): Head => head({ round, secret: SECRETS[round - 1] as string, commitment: SECRETS[round - 1] as string });

describe("whether the server keeps to its commitment", () => {
    test("nothing is opened before a round is over", async () => {
        const kept = shelf();
        note("t", head(), "tsuru", kept);
        expect(commitment("t", kept)).toBe(COMMITMENT);
        expect(await check("t", head(), 0, kept)).toBe("unopened");
    });

    test("every secret leads back to it, also those of rounds that nobody saw here", async () => {
        const kept = shelf();
        note("t", head(), "tsuru", kept);
        expect(await check("t", opened(1), 0, kept)).toBe("checked");
        expect(await check("t", opened(3), 0, kept)).toBe("checked");
    });

    test("another secret, another commitment and another cut are noticed", async () => {
        const kept = shelf();
        note("t", head(), "tsuru", kept);
        expect(await check("t", opened(1), 1, kept)).toBe("broken");
        expect(await check("t", { ...opened(1), secret: "00".repeat(32) }, 0, kept)).toBe("broken");
        expect(await check("t", head({ commitment: "00".repeat(32) }), 0, kept)).toBe("broken");
        // The secret of the third round cannot have been opened after the first.
        expect(await check("t", { ...opened(3), round: 1 }, 0, kept)).toBe("broken");
    });

    test("whoever comes later can check from then on", async () => {
        const kept = shelf();
        note("t", opened(1), undefined, kept);
        expect(await check("t", opened(1), null, kept)).toBe("late");
        expect(await check("t", opened(2), null, kept)).toBe("checked");
        expect(await check("t", opened(2), null, shelf())).toBe("late");
    });

    test("what was noted first stays, and a cut is added to it", async () => {
        const kept = shelf();
        note("t", head(), undefined, kept);
        note("t", head({ commitment: "11".repeat(32) }), "tsuru", kept);
        expect(commitment("t", kept)).toBe(COMMITMENT);
        expect(await check("t", head({ cuts: ["other", ""] }), 0, kept)).toBe("broken");
    });

    test("without hashes nothing can be said", async () => {
        const kept = shelf();
        note("t", head(), undefined, kept);
        expect(await check("t", opened(1), 0, kept, null)).toBe("unable");
    });
});
