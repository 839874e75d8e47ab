import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { bring, matchesOf, NoExport, perforated, played, type Progress } from "../src/matches/played";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("localStorage", { getItem: () => "known", setItem: () => {}, removeItem: () => {} });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const answer = (status: number, body: object): object => ({
  ok: status < 400,
  status,
  url: "",
  headers: new Headers(),
  json: async () => body,
});
const problem = (status: number, error: string, args = {}): object =>
  answer(status, { error, message: error, text: { id: `errors.${error}`, args }, clause: null });

const over = { table: "t", ended_at: 5, why: "played", seat: 0, counted: [1], record: { mekuri: 1 } };
const exported = (...matches: unknown[]): Blob => new Blob([JSON.stringify({ mekuri_guest: 1, matches })]);

test("finished matches of an export with counted rounds are imported", async () => {
  const running = { ...over, record: null };
  const left = { ...over, seat: null, counted: [] };
  expect(await matchesOf(exported(running, { ...over, rows: [], maker: true }, left, null, {}))).toEqual([over]);
});

test.each(["", "{", "null", "[]", "7", "{}", '{"mekuri_guest":1,"matches":{}}'])("%s is no export", async (text) => {
  await expect(matchesOf(new Blob([text]))).rejects.toThrow(NoExport);
});

test("delays of the server are respected, and refusals are counted", async () => {
  const [brought] = await matchesOf(exported(over));
  const answers = [
    problem(429, "too-dear", { seconds: 7 }),
    answer(200, { added: true }),
    answer(200, { added: false }),
    problem(422, "bad-record"),
  ];
  const fetched = vi.fn(async () => answers.shift());
  vi.stubGlobal("fetch", fetched);
  const reports: Progress[] = [];
  const done = bring(
    [brought!, brought!, brought!],
    (progress) => reports.push(progress),
    () => false,
  );
  await vi.advanceTimersByTimeAsync(6999);
  expect(fetched).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  await done;
  expect(reports.at(-1)).toEqual({ all: 3, added: 1, known: 1, refused: 1 });
  expect(reports).toHaveLength(4);
});

test("a full account is reported, and leaving the screen stops the import", async () => {
  const [brought] = await matchesOf(exported(over));
  const fetched = vi.fn(async () => problem(429, "too-many-matches"));
  vi.stubGlobal("fetch", fetched);
  await expect(
    bring(
      [brought!, brought!],
      () => {},
      () => false,
    ),
  ).rejects.toThrow("too-many-matches");
  expect(fetched).toHaveBeenCalledTimes(1);
  await bring(
    [brought!],
    () => {},
    () => true,
  );
  expect(fetched).toHaveBeenCalledTimes(1);
});

test("a server that is still counting is polled, and a visitor has no matches", async () => {
  const answers = [answer(200, { counting: true }), answer(200, { counting: false, games: [] }), problem(401, "not-signed-in")];
  vi.stubGlobal("fetch", async () => answers.shift());
  expect(await played()).toEqual({ counting: false, games: [] });
  expect(await played(50)).toBeNull();
});

test("the edge of a stamp is a closed path", () => {
  const path = perforated(16, 8, 8, 2);
  const steps = [...path.matchAll(/[la](?:2 2 0 0 0 )?(-?[\d.]+) (-?[\d.]+)/g)].map((step) => [Number(step[1]), Number(step[2])]);
  expect(steps.reduce((sum, [x]) => sum + x!, 0)).toBeCloseTo(0);
  expect(steps.reduce((sum, [, y]) => sum + y!, 0)).toBeCloseTo(0);
  expect(path.match(/a/g)).toHaveLength(6);
});
