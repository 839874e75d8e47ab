import { expect, test } from "vitest";
import { faces } from "../src/home/face";

test("no two games of six have the same face", () => {
  const games = ["a", "b", "c", "d", "e", "f"].map((id, index) => ({ id, drawn: index % 3 ? "ise" : "hanafuda" }));
  const given = faces(games);
  expect(new Set(games.map(({ id, drawn }) => `${drawn} ${given[id]}`)).size).toBe(6);
});

test("a pack that nobody has chosen cards for has faces as well", () => {
  expect(faces([{ id: "a", drawn: "another" }])["a"]).toMatch(/^\d+[HIOK]$/);
});
