import { describe, expect, it } from "vitest";
import { command, confirms, meant, step, type Box, type Press } from "../src/table/keys";

const press = (key: string, held: Partial<Press> = {}): Press => ({
  key,
  code: "",
  isComposing: false,
  getModifierState: () => false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
});

describe("a key", () => {
  it("picks a card of the hand", () => {
    expect(command(press("1"), true)).toEqual({ pick: 0 });
    expect(command(press("9"), true)).toEqual({ pick: 8 });
    expect(command(press("0"), true)).toEqual({ pick: 9 });
  });

  it("takes the only legal action, unless it is held down or combined", () => {
    const key = (name: string, held: Partial<KeyboardEvent> = {}): KeyboardEvent =>
      ({ key: name, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat: false, ...held }) as KeyboardEvent;
    expect([key(" "), key("Enter")].every(confirms)).toBe(true);
    expect([key("a"), key("Enter", { repeat: true }), key(" ", { ctrlKey: true })].some(confirms)).toBe(false);
  });

  it("reads a place aloud, with and without capital letters", () => {
    expect(command(press("f"), true)).toEqual({ read: "field" });
    expect(command(press("C"), true)).toEqual({ read: "captured" });
    expect(command(press("s"), true)).toEqual({ read: "score" });
    expect(command(press("l"), true)).toEqual({ read: "events" });
  });

  it("is a digit whether its keyboard wants Shift for it or not", () => {
    expect(command(press("&", { code: "Digit1" }), true)).toEqual({ pick: 0 }); // French, without Shift
    expect(command(press("1", { code: "Digit1", shiftKey: true }), true)).toEqual({ pick: 0 }); // and with it
    expect(command(press("!", { code: "Digit1", shiftKey: true }), true)).toBeNull();
    expect(command(press("Dead", { code: "Digit7" }), true)).toEqual({ pick: 6 });
    expect(command(press("End", { code: "Numpad1" }), true)).toBeNull(); // without Num Lock
  });

  it("is the character it writes, or its position if that is no Latin letter", () => {
    expect(meant(press("a", { code: "KeyQ" }))).toBe("A");
    expect(meant(press("ф", { code: "KeyA" }))).toBe("A");
    expect(meant(press("ち", { code: "KeyA" }))).toBe("A");
    expect(meant(press("ｆ", { code: "KeyF" }))).toBe("F");
    expect(meant(press("Process", { code: "KeyF" }))).toBe("F");
    expect(meant(press("ı", { code: "KeyI" }))).toBe("I"); // Turkish
    expect(meant(press("à", { code: "KeyZ" }))).toBe(""); // French, by another order
    expect(meant(press("؟", { code: "Slash", shiftKey: true }))).toBe("?");
  });

  it("belongs to the input method during composition", () => {
    expect(meant(press("1", { code: "Digit1", isComposing: true }))).toBe("");
    expect(command(press("Escape", { isComposing: true }), true)).toBeNull();
  });

  it("of the third level writes its character, though some systems report Ctrl and Alt", () => {
    const third = { ctrlKey: true, altKey: true, getModifierState: (key: string) => key === "AltGraph" };
    expect(command(press("1", { code: "Digit1", ...third }), true)).toEqual({ pick: 0 });
    expect(command(press("~", { code: "Digit1", ...third }), true)).toBeNull();
    expect(command(press("1", { code: "Digit1", ...third, getModifierState: () => false }), true)).toBeNull();
  });

  it("belongs to the browser with modifiers", () => {
    for (const held of ["ctrlKey", "metaKey", "altKey"] as const) expect(command(press("f", { [held]: true }), true)).toBeNull();
    expect(command(press("F", { shiftKey: true }), true)).toBeNull();
  });

  it("shows the list of keys after a question mark", () => {
    expect(command(press("?", { shiftKey: true }), true)).toBe("help");
  });

  it("does nothing if single-key shortcuts are off, but Escape always steps back", () => {
    for (const key of ["1", "f", "h", "?"]) expect(command(press(key), false)).toBeNull();
    expect(command(press("Escape"), false)).toBe("back");
  });

  it("without a meaning does nothing", () => {
    for (const key of ["x", "Enter", "Tab", "ArrowLeft"]) expect(command(press(key), true)).toBeNull();
  });
});

describe("an arrow", () => {
  const row = (top: number, lefts: number[]): Box[] => lefts.map((left) => ({ left, top, width: 40, height: 66 }));
  const two = [...row(0, [0, 44, 88]), ...row(70, [0, 88])];

  it("goes along a row, and on to the next at its end", () => {
    expect(step(two, 0, "ArrowRight")).toBe(1);
    expect(step(two, 1, "ArrowLeft")).toBe(0);
    expect(step(two, 2, "ArrowRight")).toBe(3);
    expect(step(two, 3, "ArrowLeft")).toBe(2);
  });

  it("goes up and down to the nearest", () => {
    expect(step(two, 2, "ArrowDown")).toBe(4);
    expect(step(two, 3, "ArrowUp")).toBe(0);
    expect(step(two, 1, "ArrowDown")).not.toBeNull();
  });

  it("stays at the edge", () => {
    expect(step(two, 0, "ArrowLeft")).toBeNull();
    expect(step(two, 4, "ArrowRight")).toBeNull();
    expect(step(two, 0, "ArrowUp")).toBeNull();
    expect(step([], 0, "ArrowUp")).toBeNull();
  });

  it("reaches every card of a row whose cards overlap", () => {
    const close = row(0, [0, 12, 24, 36]);
    expect([0, 1, 2].map((from) => step(close, from, "ArrowRight"))).toEqual([1, 2, 3]);
  });

  it("leads to the first and the last with Home and End, and is no other key", () => {
    expect(step(two, 3, "Home")).toBe(0);
    expect(step(two, 0, "End")).toBe(4);
    expect(step(two, 0, "Enter")).toBeNull();
  });
});
