import { beforeEach, expect, test, vi } from "vitest";
import { companions, meet, proposed } from "../src/lib/opponents";
import type { BotInfo, GameInfo, Table } from "../src/wire";

const bots = ["suzu", "kiku", "kakuo"].map((id, n) => ({ id, level: n + 1 })) as BotInfo[];
const game = { id: "a", bots: [...bots, { id: "own", level: null }], company: ["suzu", "kiku", "suzu"] } as unknown as GameInfo;

beforeEach(() => {
  const kept = new Map<string, string>();
  const [getItem, setItem] = [(key: string) => kept.get(key) ?? null, (key: string, value: string) => kept.set(key, value)];
  vi.stubGlobal("localStorage", { getItem, setItem });
});

test("a newcomer meets the weakest character, and later the last chosen one", () => {
  expect(companions(game, 2)).toEqual(["suzu"]);
  meet("a", "kiku");
  meet("b", "kakuo");
  expect(companions(game, 2)).toEqual(["kiku"]);
  expect(companions(game, 4)).toEqual(["kiku", "suzu", "kiku"]);
  meet("a", "kakuo");
  expect(companions(game, 4)).toEqual(["kakuo", "kiku", "kakuo"]);
  for (const other of ["own", "nobody"]) {
    meet("a", other);
    expect(companions(game, 2)).toEqual(["suzu"]);
  }
  localStorage.setItem("mekuri-opponents", "{");
  expect(companions(game, 2)).toEqual(["suzu"]);
});

test("after a match the next stronger or weaker one is proposed, if there is one", () => {
  const table = (winners: number[] | null, ...seated: string[]): Table =>
    ({ you: 0, head: { winners, seats: [null, ...seated].map((bot, seat) => ({ seat, bot })) } }) as unknown as Table;
  const after = (...asked: Parameters<typeof table>) => proposed(table(...asked), bots)?.who.id;
  expect(after([0], "suzu")).toBe("kiku");
  expect(after([1], "kiku")).toBe("suzu");
  expect(after([0, 1], "kiku")).toBe("kakuo");
  expect(after([1], "suzu")).toBe(undefined);
  expect(after([0], "kakuo")).toBe(undefined);
  expect(after(null, "suzu")).toBe(undefined);
  expect(after([0], "suzu", "kiku")).toBe("kakuo");
  expect(after([0], "own")).toBe(undefined);
});
