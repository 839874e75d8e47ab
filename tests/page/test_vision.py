"""Cards differ in their shapes: on a phone, and for players with limited colour vision."""

import base64
from itertools import combinations

import pytest

from mekuri.cards import SUITS
from mekuri.cards.art import pack_names
from tests.helpers.page.staging import ALONE
from tests.helpers.tables import in_turn
from tests.page.conftest import Open

WIDTH, HEIGHT = 41, 67  # of a card in the hand, on the smallest phone
DEFICIENCIES = ("none", "protanopia", "deuteranopia", "tritanopia", "achromatopsia")
LEVELS = 48  # of 256, by which the lightness of two dots must differ to be counted
# Shares of the dots of two cards. Measured, for the most limited vision: in the Ise pack 0.089 between suits (the riders of coins
# and cups) and 0.071 between any two (7 and 9 of coins); in hanafuda 0.296 of any.
SUITS_APART = 0.075  # of two cards of one number
FACES_APART = 0.06  # of any two cards

# The share of the dots of each two cards that differ in lightness alone. All cards stand in one row of the picture.
COMPARE = """async ([picture, count, width, height, levels, pairs]) => {
  const answer = await fetch(picture);
  const image = await createImageBitmap(await answer.blob());
  const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
  context.drawImage(image, 0, 0);
  const cards = Array.from({ length: count }, (_, index) => {
    const { data } = context.getImageData(index * width, 0, width, height);
    return Array.from({ length: width * height }, (_, dot) =>
      0.2126 * data[4 * dot] + 0.7152 * data[4 * dot + 1] + 0.0722 * data[4 * dot + 2]);
  });
  const apart = ([one, other]) => cards[one].filter((light, dot) => Math.abs(light - cards[other][dot]) > levels).length;
  return pairs.map((pair) => apart(pair) / (width * height));
}"""

CARDS = [f"{number}{suit}" for number in range(1, 13) for suit in SUITS]
PAIRS = list(combinations(range(len(CARDS)), 2))


# Those with a hyphen in their name show the same pictures in another order.
@pytest.mark.parametrize("pack", in_turn(pack for pack in pack_names() if "-" not in pack))
async def test_cards_differ_in_shape(open_page: Open, pack: str) -> None:
    page = await open_page(None, once=True)  # what is drawn on an empty page is no page of the server
    await page.set_viewport_size({"width": WIDTH * len(CARDS), "height": HEIGHT})
    sprite = await (await page.context.request.get(f"/cards/{pack}.svg", headers=ALONE)).text()
    drawn = "".join(
        f'<svg x="{index * WIDTH}" width="{WIDTH}" height="{HEIGHT}"><use href="#{card}"/></svg>'
        for index, card in enumerate(CARDS)
    )
    style = "body { margin: 0; background: #fff } body > svg:first-of-type { position: absolute; width: 0; height: 0 }"
    await page.set_content(f'<style>{style}</style>{sprite}<svg width="{WIDTH * len(CARDS)}" height="{HEIGHT}">{drawn}</svg>')
    session = await page.context.new_cdp_session(page)
    measured: dict[str, tuple[float, str, float, str]] = {}
    for deficiency in DEFICIENCIES:
        await session.send("Emulation.setEmulatedVisionDeficiency", {"type": deficiency})
        picture = f"data:image/png;base64,{base64.b64encode(await page.screenshot()).decode()}"
        found = await page.evaluate(COMPARE, [picture, len(CARDS), WIDTH, HEIGHT, LEVELS, PAIRS])
        shares = sorted((share, f"{CARDS[one]} {CARDS[other]}") for share, (one, other) in zip(found, PAIRS, strict=True))
        suits = [(share, pair) for share, pair in shares if len({card[:-1] for card in pair.split()}) == 1]
        measured[deficiency] = (*suits[0], *shares[0])
    assert all(suits >= SUITS_APART and faces >= FACES_APART for suits, _, faces, _ in measured.values()), measured
