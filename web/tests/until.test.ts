import { describe, expect, it, vi } from "vitest";

let lang = "en";
vi.mock("../src/lib/language.svelte", () => ({ language: () => lang, say: (key: string) => key }));

const { when } = await import("../src/turns/until");

describe("until when a table waits", () => {
  const now = new Date(2026, 10, 24, 9, 0).getTime();
  const near = new Date(2026, 10, 27, 14, 5).getTime();
  const far = new Date(2026, 11, 8, 14, 5).getTime();

  it("is a weekday and an hour while that says enough", () => {
    lang = "en";
    expect(when(near, now)).toMatch(/^Friday 2:05\sPM$/);
    lang = "ja";
    expect(when(near, now)).toBe("金曜日 14:05");
  });

  it("is a date further away", () => {
    lang = "en";
    expect(when(far, now)).toMatch(/^December 8 2:05\sPM$/);
    lang = "ja";
    expect(when(far, now)).toBe("12月8日 14:05");
  });
});
