import { render } from "svelte/server";
import { describe, expect, it } from "vitest";
import type { Catalogue, Goal, Legal, Text, View, Zone } from "../src/wire";
import "./stubs";

const { Voice } = await import("../src/lib/voice");
const { speak } = await import("../src/lib/language.svelte");
const { default: Board } = await import("../src/table/Board.svelte");

await speak();

const catalogue: Catalogue = {
  game: "game",
  version: 1,
  lang: "en",
  name: "Game",
  summary: "",
  texts: {
    zones: { kitty: "Kitty", ante: "Ante" },
    numbers: { joint: ", " },
    prompts: { play: "Play a card." },
    refusals: { no: "Not now." },
    words: { stay: "Stay" },
    amounts: { chips: "{n} {n:chip|chips}", loans: "owes {n}" },
  },
  cites: {},
  clauses: {},
  yaku: {},
  names: { seed: { title: "Names", cards: {}, plain: {}, kana: {}, latin: {} } },
};
const voice = new Voice(catalogue, { id: "seed", title: {}, drawn: "ise", sprite: "/cards/ise.svg", art: "/cards/ise.svg" });

const zone = (id: string, owner: number | null, kind: string, layout: string, cards: (string | null)[]): Zone => ({
  id,
  owner,
  kind,
  layout,
  cards,
  count: cards.length,
});
const legal = (action: string, id = "card"): Legal => ({ action, text: { id, args: { card: action } }, takes: [], choices: [] });

function view(shape: string, zones: Zone[], changes: Partial<View> = {}): View {
  const nothing = {
    refused: [],
    score: [],
    near: [],
    ledger: [],
    accounts: {},
    middle: {},
    ending: null,
    returns: null,
    next_dealer: null,
    closes: null,
  };
  const asked = { prompt: { id: "prompts.play", args: {} }, waiting: [0], legal: [] as Legal[], over: false };
  return { game: "game", version: 1, you: 0, dealer: 1, shape, zones, ...nothing, ...asked, ...changes };
}

function draw(shown: View, seats: number, clock = "", last: Text[] = []): string {
  const looks = Array.from({ length: seats }, (_, seat) => ({
    name: `Seat ${seat}`,
    note: "",
    waiting: shown.waiting.includes(seat),
  }));
  const html = render(Board, { props: { view: shown, seats: looks, legal: shown.legal, clock, last, voice, act: () => {} } }).body;
  return html.replace(/<!--.*?-->/g, "");
}

/** The part of a board from one mark to another. */
const between = (html: string, from: string, to: string): string =>
  html.slice(html.indexOf(from), html.indexOf(to, html.indexOf(from)));
const buttons = (html: string): string[] => html.match(/<button[^>]*card-button[^>]*>/g) ?? [];
const seats = (seat: number): Zone[] => [
  zone(`hand-${seat}`, seat, "hand", "fan", seat ? [null, null] : ["1H", "2H"]),
  zone(`captured-${seat}`, seat, "captured", "row", [`${seat + 3}O`]),
];
const common = [zone("field", null, "field", "grid", ["5I", "6I"]), zone("stock", null, "stock", "stack", [null, null, null])];

describe("every shape of a table", () => {
  const shapes: [shape: string, seats: number, zones: Zone[]][] = [
    ["faces", 2, [...seats(0), ...seats(1), ...common]],
    ["ring", 4, [0, 1, 2, 3].flatMap(seats).concat(common)],
    ["ring", 7, [0, 1, 2, 3, 4, 5, 6].flatMap(seats).concat(common)],
    ["bank", 3, [...seats(0), zone("bet-2", 2, "bet", "row", ["9K"]), zone("mats", null, "field", "mats", ["1I", "2I"])]],
    ["pile", 5, [...[0, 1, 2, 3, 4].flatMap(seats), zone("heap", null, "pile", "stack", [null, "7K"])]],
  ];

  it.each(shapes)("%s shows every seat, every zone and every visible card once", (shape, count, zones) => {
    const html = draw(view(shape, zones), count);
    for (let seat = 0; seat < count; seat++) expect(html.split(`>Seat ${seat}<`)).toHaveLength(2);
    for (const each of zones) expect(html.split(`data-zone="${each.id}/${each.owner ?? ""}"`)).toHaveLength(2);
    // The others' cards, and all captures, are groups with counts.
    const played = zones.filter(({ owner, kind }) => owner === null || (owner === 0 && kind === "hand"));
    const seen = played.flatMap((each) => each.cards).filter((card) => card !== null);
    for (const card of seen) expect(html.split(`data-card="${card}"`)).toHaveLength(2);
    expect(buttons(html)).toHaveLength(seen.length);
    for (const each of zones.filter((one) => !played.includes(one) && one.cards.some((card) => card !== null)))
      if (count < 5) expect(between(html, `data-zone="${each.id}/${each.owner}"`, "</svg>")).toContain(`#${each.cards[0]}`);
  });

  it.each(shapes)("%s shows the amounts in the middle by name, in numbers and in stones", (shape, count, zones) => {
    const html = draw(view(shape, zones, { middle: { kitty: 12, ante: 0 } }), count);
    const kitty = between(html, "Kitty", "Ante");
    expect(kitty).toMatch(/^Kitty <span[^>]*>12</);
    expect(kitty).toMatch(/<svg class="black[^>]*data-stones="12"/);
    expect(kitty).not.toContain("white");
    expect(html).toMatch(/Ante <span[^>]*>0</);
  });

  it("is Tabbed through with one stop a zone", () => {
    const html = draw(view("faces", [...seats(0), ...seats(1), ...common]), 2);
    const stops = buttons(html).filter((button) => button.includes('tabindex="0"'));
    expect(stops).toHaveLength(2); // hand and field; what is face down is nowhere to go
    expect(html.match(/<button[^>]*class="groups/g)).toHaveLength(2); // captures are one button each
  });

  it("shows that a place is hidden, and its stake if it is visible", () => {
    const bets = [
      { ...zone("bet-1", 1, "bet", "row", []), count: null },
      { ...zone("bet-2", 2, "bet", "row", [null]), stake: 10 },
    ];
    const html = draw(view("bank", bets), 3);
    const [hidden, staked] = ["1/1", "2/2"].map((key) => between(html, `data-zone="bet-${key}"`, "</i>"));
    expect(hidden).toContain("hidden");
    expect(hidden).not.toMatch(/>\d+</);
    expect(staked).toMatch(/1 card face down.*10 staked/s);
  });

  it("draws a cloth over covered cards, and no back", () => {
    const html = draw(view("bank", [zone("cloth", null, "field", "cloth", [null])]), 2);
    expect(between(html, 'data-zone="cloth/"', "</div></div>")).toContain("1 card under the cloth");
    expect(html).toContain("data-back");
    expect(html).not.toContain("#back");
  });

  it("shows face-down cards as a number", () => {
    const html = draw(view("faces", [...seats(0), ...seats(1), ...common]), 2);
    expect(between(html, 'data-zone="hand-1/1"', "</ul>")).toContain("2 cards face down");
    expect(html).toContain("3 cards face down");
  });
});

describe("a turn", () => {
  const asked = view("faces", [...seats(0), ...seats(1), ...common], {
    legal: [legal("1H"), legal("stay", "words.stay")],
    refused: [{ card: "2H", text: { id: "refusals.no", args: {} }, clause: "game.no" }],
  });

  it("offers legal cards in their places, and words as buttons", () => {
    const html = draw(asked, 2);
    expect(buttons(html).filter((button) => /\blegal\b/.test(button))).toHaveLength(1);
    expect(html).toMatch(/<button[^>]*>Stay<\/button>/);
    expect(html).toContain("Play a card.");
  });

  it("explains why a card cannot be played, and keeps it readable", () => {
    const html = draw(asked, 2);
    const refused = buttons(html).filter((button) => button.includes('aria-disabled="true"'));
    expect(refused).toHaveLength(1);
    const reason = /aria-describedby="([^"]+)"/.exec(refused[0] ?? "")?.[1];
    expect(html).toMatch(new RegExp(`id="${reason}"[^>]*>Not now.<`));
    expect(html).not.toMatch(/<button[^>]* disabled/);
  });

  it("is over while an answer is on its way", () => {
    const html = draw({ ...asked, legal: [] }, 2);
    expect(html).not.toContain("aria-disabled");
    expect(html).not.toMatch(/>Stay</);
  });
});

describe("beside the cards", () => {
  it("a board counts cards, newest first, and is not playable", () => {
    const past = Array.from({ length: 30 }, (_, index) => `${(index % 2) + 1}H`);
    const html = draw(view("bank", [...seats(0), zone("past", null, "board", "row", past)], { legal: [legal("1H")] }), 3);
    const board = between(html, 'data-zone="past/"', "</ul>");
    expect(board.match(/<li/g)?.length).toBe(8);
    expect(board).not.toContain("data-card");
    expect(buttons(board)).toEqual([]);
    expect(html).toMatch(/<button[^>]*aria-haspopup="dialog"[^>]*>[^]*?>30</); // all of them are one press away
  });

  it("legal cards outside of all zones can be chosen, and no card of the hand is legal meanwhile", () => {
    const html = draw(view("pile", [...seats(0), ...seats(1), ...common], { legal: [legal("1H"), legal("4I")] }), 2);
    const choice = between(html, 'data-zone="choice/"', "</ul>");
    expect(buttons(choice).filter((button) => /\blegal\b/.test(button))).toHaveLength(2);
    expect(buttons(between(html, 'data-zone="hand-0/0"', "</ul>")).filter((button) => /\blegal\b/.test(button))).toHaveLength(0);
  });

  it("a seat shows its zones, and its gain in games without captures", () => {
    const line = { seat: 0, text: { id: "lines.x", args: {} }, cards: [], points: 7, clause: "game.x" };
    const shown = {
      ledger: [
        { chips: 480, loans: 0 },
        { chips: -20, loans: 50 },
      ],
      score: [line, { ...line, seat: 1 }],
    };
    const html = draw(view("bank", [zone("hand-0", 0, "hand", "fan", ["1H"]), ...seats(1)], shown), 2);
    const text = html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
    expect(text).toMatch(/Seat 0.* \+7 this round 480 chips at the deal/);
    expect(text).toMatch(/Seat 1.* dealer.* total −20 chips owes 50/);
  });

  it("the others' actions are shown as cards, the newest turn first, and a capture by choice once", () => {
    const did = (seat: number, card: string, ...cards: string[]): Text => ({
      id: "x",
      args: { seat, card, ...(cards.length && { cards }) },
    });
    const field = [zone("field", null, "field", "grid", ["9H"]), zone("taken", 1, "captured", "mats", ["4H", "4I"])];
    const turns = (...last: Text[]): string[] =>
      between(draw(view("faces", [...field, ...seats(0)]), 3, "", last), 'class="lately', 'class="detail')
        .split('class="turn')
        .slice(1)
        .map((turn) => (turn.match(/Seat \d|took|stays/g) ?? []).join(" "));
    expect(turns(did(1, "4H"), did(1, "4H", "4I"), did(1, "9H"))).toEqual(["Seat 1 took stays"]);
    expect(turns(did(1, "4H", "4I"), did(2, "9H"))).toEqual(["Seat 2 stays", "Seat 1 took"]);
    expect(turns(did(1, "9H"), { id: "x", args: { seat: 1 } })).toEqual([]); // the newest is about no card
  });

  it("a hand that is still to be chosen takes no room", () => {
    const offer = [zone("left", 0, "offer", "stack", [null]), zone("right", 0, "offer", "stack", [null])];
    expect(draw(view("ring", [zone("hand-0", 0, "hand", "fan", []), ...offer]), 4)).not.toContain("hand-0");
    expect(draw(view("ring", [zone("hand-0", 0, "hand", "fan", [])]), 4)).toContain("hand-0");
  });

  it("a stack that is offered to all is pressed at the viewer's hand, and lies beside the others for spectators", () => {
    const offer = ["left", "right"].map((side) => zone(`stack-${side}`, null, "offer", "stack", [null, null]));
    const html = draw(
      view("faces", [...offer, ...seats(0)], { legal: [legal("left", "words.left"), legal("right", "words.right")] }),
      2,
    );
    const [rest = "", hands = ""] = html.split('class="hands');
    expect(hands.match(/data-action="(left|right)"/g)).toHaveLength(2);
    expect(rest).not.toContain("stack-left");
    const others = draw(view("faces", [...offer, ...seats(0)]), 2).split('class="hands');
    expect(others[0]).toContain("stack-left");
    expect(others[1]).not.toContain("stack-left");
  });

  it("a goal shows its missing cards, by number if the pack has numbers, and no card once it is out of reach", () => {
    const goal: Goal = {
      seat: 1,
      text: { id: "yaku.x", args: {} },
      has: 1,
      needs: 3,
      value: 5,
      made: ["4H"],
      lacks: ["4O", "4K"],
      lost: false,
    };
    const strip = (changes: Partial<Goal>): string =>
      between(draw(view("faces", seats(0), { goals: [{ ...goal, ...changes }] }), 2), 'class="goals', "</ul>");
    expect(strip({})).toMatch(/needs<.*#4O.*#4K/s);
    expect(strip({ needs: 2 })).toMatch(/needs 1 of<.*#4O.*#4K/s);
    expect(strip({ lost: true })).not.toContain("#4O");
  });

  it("the remaining time stands beside the question if silence is an answer", () => {
    const asked = view("ring", [...seats(0), ...common], { legal: [legal("stay", "words.stay")] });
    expect(between(draw(asked, 4, "7 s to speak"), 'class="says', "</div>")).toContain("7 s to speak");
    expect(draw(asked, 4)).not.toContain("clock");
  });

  it("all waiting players are named", () => {
    const html = draw(view("ring", [...seats(0), ...common], { waiting: [1, 3], prompt: null }), 4);
    expect(html).toContain("Waiting for Seat 1, Seat 3.");
    expect(draw(view("ring", [...seats(0), ...common], { waiting: [1, 16], prompt: null }), 4)).toContain("Seat 1 is to play.");
  });
});
