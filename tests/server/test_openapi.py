"""What the server says of itself in OpenAPI holds, whatever it is sent; and it says enough to write a client by."""

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import httpx
import numpy  # noqa: F401  # Hypothesis looks at it, and must not find one that a thread of the server is just importing
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator

from mekuri import games
from mekuri.engine.puzzles import puzzles
from tests.helpers.patience import PATIENCE
from tests.helpers.server.addresses import Json, description, operations
from tests.helpers.server.serving import BRIEFLY_KEPT, shared
from tests.helpers.tables import USUAL

_FOUND = puzzles(games.find(USUAL))
PUZZLE = _FOUND.puzzles[0].id if _FOUND else ""
STREAM = "stream"  # an answer that does not end: its parameters are tried by hand
EXAMPLES = 25
# Operations that need a guest.
GUESTS_ONLY = (
    *("me", "export", "played", "bring", "code", "devices"),
    *("make_table", "sit", "leave", "play", "ready", "take_back", "say"),
    *("practice", "search_mistakes", "question", "try_question"),
    *("cut_daily", "play_daily"),
)


def in_shares(of: int) -> pytest.MarkDecorator:
    """Parametrize requests of each mode with shares of the operations."""
    shares = [(mode, n, of) for mode in ("positive", "negative") for n in range(of)]
    return pytest.mark.parametrize(
        ("mode", "share"), [pytest.param(mode, slice(n, None, of), id=f"{mode}-{n}") for mode, n, of in shares]
    )


class Standing:
    """Return a server in a thread, with a guest, a table of the guest, and one that the guest has left."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.http = httpx.Client(base_url=address, timeout=PATIENCE, limits=BRIEFLY_KEPT)
        self.headers = self.arrive()
        self.table = self.sit_down()
        self.left = self.table

    def arrive(self) -> dict[str, str]:
        """What proves a new guest."""
        token = self.http.post("/api/guests", json={}).json()["token"]
        self.http.cookies.clear()
        return {"authorization": f"Bearer {token}"}

    def sit_down(self) -> str:
        """A new table at which the guest plays."""
        table = str(self.http.post("/api/tables", json={"game": USUAL}, headers=self.headers).json()["id"])
        self.http.post(f"/api/tables/{table}/seat", json={}, headers=self.headers).raise_for_status()
        return table

    def move_on(self) -> None:
        """Leave the table for another one; as another guest, where the one before has had itself deleted."""
        if self.http.get("/api/guests/me", headers=self.headers).status_code == 401:
            self.headers = self.arrive()
        self.http.delete(f"/api/tables/{self.table}/seat", headers=self.headers).raise_for_status()
        self.left, self.table = self.table, self.sit_down()

    def known(self, path: str) -> list[Json]:
        """Parameters of an address that name something that is there."""
        there = {"game": USUAL, "lang": "en", "number": 1, "puzzle": PUZZLE}
        here = [{"id": table, **there} for table in (self.table, self.left)]
        return [{name: value for name, value in each.items() if f"{{{name}}}" in path} for each in here] if "{" in path else []


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Standing]:
    with shared(tmp_path_factory.mktemp("log") / "mekuri.db", tables=1 << 30) as server:
        found = Standing(server.address)
        yield found
        found.http.close()


# --- What is said is so ---


def fuzz(standing: Standing, mode: str, share: slice, examples: int, subtests: pytest.Subtests) -> None:
    """Send valid and invalid requests to the operations, as a guest and as a visitor."""
    import schemathesis
    from schemathesis import GenerationMode
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks

    schema = schemathesis.openapi.from_dict(description())
    schema.config.update(base_url=standing.address)
    wanted: list[Any] = [
        not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_headers_conformance,
        checks.response_schema_conformance,
        checks.negative_data_rejection,
    ]

    def ask(id: str) -> None:
        operation = schema.find_operation_by_id(id)
        standing.move_on()
        known = [
            operation.as_strategy(GenerationMode(mode), path_parameters=each) for each in standing.known(operations()[id]["path"])
        ]

        @given(case=st.one_of([*known, operation.as_strategy(GenerationMode(mode))]), signed=st.booleans())
        @settings(max_examples=examples, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
        def test(case: Any, signed: bool) -> None:
            response = case.call(headers=standing.headers if signed else None, timeout=PATIENCE)
            case.validate_response(response, checks=wanted)

        test()

    can_be_wrong = {id for id, operation in operations().items() if "parameters" in operation or "requestBody" in operation}
    for id in list(operations())[share]:
        if id != STREAM and (mode == "positive" or id in can_be_wrong):
            with subtests.test(id):
                ask(id)


@pytest.mark.in_turn(4)
@in_shares(8)
def test_answers_are_as_described(standing: Standing, mode: str, share: slice, in_full: bool, subtests: pytest.Subtests) -> None:
    fuzz(standing, mode, share, EXAMPLES if in_full else EXAMPLES // 3, subtests)


@pytest.mark.soak
@in_shares(54)
def test_answers_are_as_described_at_length(standing: Standing, mode: str, share: slice, subtests: pytest.Subtests) -> None:
    fuzz(standing, mode, share, EXAMPLES * 40, subtests)


def test_stream_answers_as_described(standing: Standing) -> None:
    """Its first bytes: it never ends."""
    chance = Random(0)
    statuses = operations()[STREAM]["responses"]
    tables = ["", "x", standing.table, "a" * 65, "%00", "鶴", *[standing.table] * 3]
    lasts = ["", "0", "1,2", "-1", "9" * 300, "x", "99999999"]
    seen = set()
    for _ in range(60):
        params: list[tuple[str, str | int | float | bool | None]] = [
            ("table", chance.choice(tables)) for _ in range(chance.choice((0, 1, 1, 1, 2, 9)))
        ]
        headers = standing.headers if chance.random() < 0.5 else {}
        with standing.http.stream(
            "GET", "/api/stream", params=params, headers=headers | {"last-event-id": chance.choice(lasts)}
        ) as heard:
            seen.add(heard.status_code)
            assert str(heard.status_code) in statuses
            if heard.status_code == 200:
                assert heard.headers["content-type"].startswith("text/event-stream")
                assert next(heard.iter_bytes()).startswith(b"retry: ")
            else:
                heard.read()
                validator("Problem").validate(heard.json())
                assert heard.status_code < 500
    assert {200, 400, 404} <= seen


# --- Enough is said ---


def validator(component: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/components/schemas/{component}", "components": description()["components"]})


def test_operation_is_described(subtests: pytest.Subtests) -> None:
    for id, operation in operations().items():
        with subtests.test(id):
            assert operation["summary"]
            assert operation["description"]
            assert operation["tags"]
            for parameter in operation.get("parameters", []):
                assert parameter.get("description"), parameter["name"]


def test_parameters_and_bodies_have_examples(subtests: pytest.Subtests) -> None:
    """The example of a body can be read by the server."""
    for id, operation in operations().items():
        with subtests.test(id):
            for parameter in operation.get("parameters", []):
                assert parameter.get("examples") or parameter["schema"].get("examples"), parameter["name"]
            if "requestBody" in operation:
                schema = operation["requestBody"]["content"]["application/json"]["schema"]
                assert schema["examples"]
                for example in schema["examples"]:
                    Draft202012Validator({**schema, "components": description()["components"]}).validate(example)


def test_refusals_are_described_as_problems(subtests: pytest.Subtests) -> None:
    for id, operation in operations().items():
        with subtests.test(id):
            refusals = {status: response for status, response in operation["responses"].items() if int(status) >= 400}
            assert {"400", "401", "403", "408", "429", "500", "503"} <= refusals.keys()
            for response in refusals.values():
                assert response["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/Problem"}
            if "{" in operation["path"]:
                assert "404" in refusals
            if "requestBody" in operation:
                assert "413" in refusals


def test_authentication_is_described(subtests: pytest.Subtests) -> None:
    """A guest has a token or a cookie; nearly every operation also serves visitors without one."""
    for id, operation in operations().items():
        with subtests.test(id):
            ways = operation.get("security", description().get("security")) or []
            assert {"token": []} in ways
            assert {"cookie": []} in ways
            assert {} in ways or id in GUESTS_ONLY


def test_cached_answers_describe_304() -> None:
    """Clients revalidate games."""
    for id in ("games", "game", "texts", "rules"):
        assert "304" in operations()[id]["responses"], id


def test_references_of_the_description_resolve() -> None:
    text = json.dumps(description())
    for name in set(re.findall(r'"#/components/schemas/([^"]+)"', text)):
        assert name in description()["components"]["schemas"]
    for name in description()["components"]["schemas"]:
        assert f"#/components/schemas/{name}" in text, f"{name} is nowhere used"


def test_description_is_served(standing: Standing) -> None:
    assert standing.http.get("/api/schema/openapi.json").json()["paths"] == description()["paths"]
