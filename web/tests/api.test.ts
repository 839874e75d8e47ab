import { beforeEach, expect, test, vi } from "vitest";

const fetched = vi.fn<(path: string, request: RequestInit) => Promise<Response>>();
const answer = (status: number, body: unknown): Response => new Response(JSON.stringify(body), { status });
const problem = { error: "guest", message: "Who are you?", text: { id: "errors.guest" }, clause: null };

let api: typeof import("../src/lib/api");

beforeEach(async () => {
  vi.resetModules();
  fetched.mockReset();
  vi.stubGlobal("fetch", fetched);
  vi.stubGlobal("document", { cookie: "" });
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  api = await import("../src/lib/api");
});

const paths = (): string[] => fetched.mock.calls.map(([path]) => path);

test("looking creates no guest; the first action creates one, once", async () => {
  fetched.mockImplementation(async () => answer(200, { id: "g" }));
  await api.showTable("t");
  await Promise.all([api.leave("t"), api.ready("t", 1, false)]);
  expect(paths().filter((path) => path === "/api/guests")).toHaveLength(1);
  expect(paths()[0]).toBe("/api/tables/t");
});

test("a request of a deleted guest is repeated as a new guest", async () => {
  fetched
    .mockResolvedValueOnce(answer(201, { id: "old" }))
    .mockResolvedValueOnce(answer(401, problem))
    .mockResolvedValueOnce(answer(201, { id: "new" }))
    .mockResolvedValueOnce(answer(200, { version: 3 }));
  expect(await api.play("t", 2, "1H")).toEqual({ version: 3 });
  expect(paths()).toEqual(["/api/guests", "/api/tables/t/actions", "/api/guests", "/api/tables/t/actions"]);
});

test("no guest is created while cookies are blocked", async () => {
  vi.stubGlobal("document", {
    get cookie() {
      return "";
    },
    set cookie(_) {},
  });
  fetched.mockImplementation(async () => answer(401, problem));
  await expect(api.play("t", 2, "1H")).rejects.toMatchObject({ status: 401 });
  expect(fetched.mock.calls.map(([path, { method }]) => `${method} ${path}`)).toEqual(["GET /api/guests/me"]);
});

test("a browser with a deleted guest gets an error and no other guest", async () => {
  const gone = { ...problem, error: "guest-gone" };
  fetched.mockImplementation(async () => answer(401, gone));
  await expect(api.play("t", 2, "1H")).rejects.toMatchObject({ problem: gone });
  expect(api.isGuest()).toBe(true);
});

test("a refusal has its reason; a foreign answer or none is a connection error", async () => {
  fetched.mockResolvedValueOnce(answer(404, problem));
  await expect(api.showTable("t")).rejects.toMatchObject({ status: 404, problem });
  fetched.mockResolvedValueOnce(new Response("<h1>Bad gateway</h1>", { status: 502 }));
  await expect(api.showTable("t")).rejects.toBeInstanceOf(api.Unreachable);
  fetched.mockRejectedValueOnce(new TypeError("Failed to fetch"));
  await expect(api.showTable("t")).rejects.toBeInstanceOf(api.Unreachable);
});

test("every request has the page's version; the page notices when the server refuses it", async () => {
  const { API, stale } = await import("../src/lib/version.svelte");
  fetched.mockImplementation(async () => answer(200, { id: "g" }));
  await api.showTable("t");
  await api.play("t", 2, "1H");
  expect(fetched.mock.calls.length).toBe(3);
  for (const [, request] of fetched.mock.calls) expect(request.headers).toMatchObject(API);
  expect(stale()).toBeNull();
  fetched.mockImplementation(async () => answer(426, { ...problem, error: "outdated" }));
  await expect(api.showTable("t")).rejects.toMatchObject({ status: 426 });
  expect(stale()).toBe("notice.outdated");
});

test("a request times out", async () => {
  fetched.mockImplementation(async () => answer(200, { id: "g" }));
  await api.leave("t");
  expect(fetched.mock.lastCall?.[1].signal).toBeInstanceOf(AbortSignal);
});

test("failed data is requested again, loaded data is not", async () => {
  fetched.mockRejectedValueOnce(new TypeError("Failed to fetch")).mockResolvedValueOnce(answer(200, { games: [] }));
  await expect(api.games()).rejects.toBeInstanceOf(api.Unreachable);
  await api.games();
  await api.games();
  expect(fetched).toHaveBeenCalledTimes(2);
});
