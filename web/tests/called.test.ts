import { expect, test } from "vitest";
import { letters, similar, withName } from "../src/home/called";
import type { GameInfo } from "../src/wire";

const game = (id: string, en: string, ja: string, ...also: string[]): GameInfo =>
  ({ id, name: { en, ja }, also }) as unknown as GameInfo;
const KOI = game("koikoi", "Koi-Koi", "こいこい", "Hanafuda", "花札");
const MUSHI = game("mushi", "Mushi", "むし");
const ECHOBO = game("echobo", "Echobo", "絵樗蒲", "えちょぼ");
const ALL = [KOI, MUSHI, ECHOBO];

test.each([
  ["Kôi-Kôi", "koikoi"],
  ["コイコイ", "こいこい"],
  ["ＫＯＩ　koi!", "koikoi"],
  ["エチョボ", "えちょほ"],
  ["がぎ", "かき"], // as on the server, which leaves out all marks of letters
  ["…", ""],
])("letters of %s", (name, kept) => expect(letters(name)).toBe(kept));

test.each([
  ["koi koi", [KOI]],
  ["hana", [KOI]],
  ["花札", [KOI]],
  ["ムシ", [MUSHI]],
  ["絵樗", [ECHOBO]],
  ["", ALL],
  ["nothing", []],
])("a part of a name, %s, finds games", (part, found) => expect(withName(ALL, part)).toEqual(found));

test.each([
  ["kokoi", [KOI]],
  ["Muschi", [MUSHI]],
  ["ecobo", [ECHOBO]],
  ["qqq", []],
  ["", []],
])("names like %s are suggested", (name, close) => expect(similar(ALL, name)).toEqual(close));
