"""Days a move, on the page: such a table is made, says until when it waits, and what waits for one is first at home."""

import asyncio
from itertools import product
from typing import Any

import pytest
from playwright.async_api import Page, expect

from mekuri.engine.rulebook import LANGUAGES
from tests.helpers.page.browser import DESKTOP, PHONE, SCREENS, THEMES, Screen, screen_name
from tests.helpers.page.room import WIDE
from tests.helpers.page.staging import call, seated, settled
from tests.helpers.page.tour import FACES
from tests.helpers.server.child import Child
from tests.helpers.tables import in_turn
from tests.page.conftest import Open
from tests.page.test_screens import AXE, RULES

WORDS = {
    "en": {"pace": "Time per move", "three": "3 days a move", "end": "The match ends", "make": "Make the table"},
    "ja": {
        "pace": "一手にかけてよい時間",
        "three": "一手に3日",
        "end": "勝負はそこで終わり",
        "make": "卓を立てる",
    },
}


async def begun(page: Page, other: Page, **term: Any) -> str:
    """Return a table at which the person of `page` is asked first by that of `other`, with three days a move."""
    table = await seated(page.context, FACES, ["person", "person"], first_dealer=0, term={"days": 3} | term)
    await call(other.context, "POST", "/api/guests", {"name": "Ben"})
    await call(other.context, "POST", f"/api/tables/{table}/seat", {})
    return table


async def faults(page: Page) -> list[Any]:
    """Return axe's faults, and the elements without room."""
    await settled(page)
    await (await page.context.new_cdp_session(page)).send("Runtime.evaluate", {"expression": AXE.read_text(encoding="utf-8")})
    found = await page.evaluate("runOnly => axe.run({ runOnly, resultTypes: ['violations'] })", RULES)
    broken = [(each["id"], node["target"], node["failureSummary"]) for each in found["violations"] for node in each["nodes"][:3]]
    return [*broken, *await page.evaluate(WIDE)]


@pytest.mark.every_days(4)
@pytest.mark.parametrize("lang", LANGUAGES)
async def test_table_with_days_a_move_is_made(open_page: Open, lang: str) -> None:
    words = WORDS[lang]
    page = await open_page(f"/new/{FACES}", PHONE, lang=lang)
    seat = page.get_by_role("combobox").nth(1)
    await seat.select_option("person")
    await page.get_by_label(words["pace"]).select_option(label=words["three"])
    await page.get_by_label(words["end"]).check()
    assert "days=3" in page.url
    assert await faults(page) == []
    await page.get_by_role("button", name=words["make"]).click()
    await page.wait_for_url("**/t/*")
    await expect(page.get_by_text(words["three"])).to_be_visible()
    table = await call(page.context, "GET", f"/api/tables/{page.url.rsplit('/', 1)[1]}")
    assert table["term"] == {"days": 3, "late": "end", "club": False}
    assert await faults(page) == []


async def test_days_a_move_are_not_offered_against_bots(open_page: Open) -> None:
    page = await open_page(f"/new/{FACES}")
    await expect(page.get_by_label(WORDS["en"]["pace"])).to_have_count(0)


WAITS = [
    ("en", "Your turn, ", "Then a bot plays this turn", "You can close this page"),
    ("ja", "さんの番です", "過ぎるとこの番だけ代わりの打ち手が打ちます", "このページは閉じてもかまいません"),
]


# Without --slow each screen in one of the languages.
@pytest.mark.every_days(4)
@pytest.mark.parametrize(
    ("screen", "lang", "title", "then", "may_go"),
    in_turn(((screen, *wait) for screen, wait in product(SCREENS, WAITS)), 0, len(SCREENS) + 1),
    ids=screen_name,
)
async def test_owed_turns_come_first_at_home(
    open_page: Open, screen: Screen, lang: str, title: str, then: str, may_go: str
) -> None:
    page = await open_page("/", screen, lang=lang, theme=THEMES[screen is PHONE])
    other = await open_page("/", screen, lang=lang)
    table = await begun(page, other)
    whole = await call(page.context, "GET", f"/api/tables/{table}")
    mine, their = (page, other) if whole["owed"] else (other, page)
    await page.reload()
    if mine is page:
        region = page.locator(".mat")
        await expect(region.get_by_role("heading")).to_contain_text(title)
        await expect(region).to_contain_text("Ben")
        await expect(page).to_have_title("(1) Mekuri")
        await expect(page.locator("main section").first).to_contain_text(title)
        assert await faults(page) == []
        await region.get_by_role("link").click()
    else:
        await page.goto(f"/t/{table}")
    await page.wait_for_url(f"**/t/{table}")
    await their.goto(f"/t/{table}")
    await mine.goto(f"/t/{table}")
    for one in (mine, their):
        await expect(one.locator(".clock")).to_contain_text(then)
        assert await faults(one) == []
    await expect(their.locator(".clock")).to_contain_text(may_go)
    await expect(mine.locator(".clock")).not_to_contain_text(may_go)


@pytest.mark.parametrize(
    ("lang", "text"), [("en", "Unavailable right now: 3 of your matches."), ("ja", "いまつながらない続きの卓：3卓")]
)
async def test_home_reports_unreachable_tables(open_page: Open, lang: str, text: str) -> None:
    page = await open_page("/", PHONE, lang=lang)
    await page.route("**/api/tables", lambda route: route.fulfill(json={"open": [], "yours": [], "unanswered": 3}))
    await page.reload()
    await expect(page.get_by_text(text)).to_be_visible()
    assert await faults(page) == []


@pytest.mark.every_days(4)
async def test_match_ended_at_a_deadline_names_the_player(open_page: Open) -> None:
    page, other = await open_page("/"), await open_page("/")
    table = await begun(page, other)
    name = (await call(other.context, "GET", "/api/guests/me"))["name"]
    whole = await call(page.context, "GET", f"/api/tables/{table}")
    seat = next(seat["seat"] for seat in whole["head"]["seats"] if seat["name"] == name)
    ended = whole | {"head": whole["head"] | {"state": "over", "why": "late", "late": seat}, "owed": None}
    await page.route(f"**/api/tables/{table}", lambda route: route.fulfill(json=ended))
    await page.route("**/api/stream*", lambda route: route.abort())
    open_page.allowed.append(r"net::ERR_")
    await page.goto(f"/t/{table}")
    await expect(page.get_by_role("heading", name=f"{name} ran out of time")).to_be_visible()


async def test_server_without_a_key_offers_no_push(open_page: Open) -> None:
    page = await open_page("/settings", DESKTOP)
    await settled(page)
    await expect(page.get_by_role("button", name="Notify me on my turn")).to_have_count(0)


@pytest.mark.every_days(4)
async def test_press_asks_permission_and_notifies(open_page: Open, house: Child) -> None:
    """The browser is not asked before the press. A stand-in answers for its push service, which cannot be reached."""
    page = await open_page("/settings", PHONE, workers=True)
    key = "BEl62iUYgUivxIkv69yViEuiBIa-Ib9-SkvMeAtA3LFgDzkrxZJjSgSnfckjBJuBkr3qBUYIHBQFLXYp5Nksh8U"
    news = {"key": key, "club": False, "here": False}
    sent: list[Any] = []

    async def answer(route: Any) -> None:
        if route.request.method == "POST":
            sent.append(route.request.post_data_json)
        await route.fulfill(json=news | {"here": route.request.method == "POST"})

    await page.context.grant_permissions(["notifications"])
    await page.route("**/api/push", answer)
    await page.context.add_init_script(
        """(() => {
          const own = Notification.requestPermission.bind(Notification);
          globalThis.asked = 0;
          Notification.requestPermission = () => ((globalThis.asked += 1), own());
          PushManager.prototype.getSubscription = async () => null;
          PushManager.prototype.subscribe = async ({ applicationServerKey }) => ({
            toJSON: () => ({
              endpoint: `https://updates.push.services.mozilla.com/${applicationServerKey.length}`,
              keys: { p256dh: "point", auth: "secret" },
            }),
            unsubscribe: async () => true,
          });
        })()"""
    )
    await page.reload()
    button = page.get_by_role("button", name="Notify me on my turn")
    await expect(button).to_be_visible()
    assert await page.evaluate("asked") == 0
    assert await faults(page) == []
    await button.click()
    await expect(page.get_by_role("button", name="Turn notifications are on")).to_be_visible()
    assert await page.evaluate("asked") == 1
    assert sent == [{"endpoint": "https://updates.push.services.mozilla.com/65", "p256dh": "point", "auth": "secret", "lang": "en"}]
    await page.get_by_role("button", name="Turn notifications are on").click()
    await expect(button).to_be_visible()


async def test_service_worker_shows_the_notification(open_page: Open) -> None:
    page = await open_page("/", workers=True)
    await page.context.grant_permissions(["notifications"])
    await page.evaluate("async () => { await navigator.serviceWorker.register('/sw.js'); await navigator.serviceWorker.ready; }")
    session = await page.context.new_cdp_session(page)
    found: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda notices: found.extend(one["registrationId"] for one in notices["registrations"]),
    )
    await session.send("ServiceWorker.enable")
    while not found:
        await asyncio.sleep(0.01)
    data = '{"title": "Mushi", "body": "It is your turn, with Ben.", "path": "/t/abc"}'
    message = {"origin": page.url.rstrip("/"), "registrationId": found[0], "data": data}
    shown = """async () => {
      const worker = await navigator.serviceWorker.getRegistration("/");
      for (let tries = 0; tries < 100; tries++) {
        const all = await worker.getNotifications();
        if (all.length) return all.map(({ title, body, tag, data }) => [title, body, tag, data.path]);
        await new Promise((done) => setTimeout(done, 50));
      }
      return [];
    }"""
    notices: list[Any] = []
    while not notices:
        # A browser that is too busy to start the worker drops what it was to be sent, and says so to nobody.
        await session.send("ServiceWorker.deliverPushMessage", message)
        notices = await page.evaluate(shown)
    assert notices == [["Mushi", "It is your turn, with Ben.", "turn-/t/abc", "/t/abc"]]
