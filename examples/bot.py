"""A whole bot for a Mekuri server, in plain HTTP and with nothing but Python. It plays what takes the most cards.

    python examples/bot.py ADDRESS [TABLE]

ADDRESS is a server's, such as http://localhost:8413. TABLE is the id of a table with a free seat: the last part of its link.
Left out, the bot makes a table of its own and plays against the server's. `docs/view.md` says what travels.
"""

import json
import sys
import time
from contextlib import suppress
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen


def ask(url, headers, body=None):
    """The answer to a GET, or to a POST where there is a body. While the server is away or too busy, it is asked again."""
    data = None if body is None else json.dumps(body).encode()
    while True:
        try:
            return urlopen(Request(url, data, headers | {"Content-Type": "application/json"}), timeout=60)
        except HTTPError as error:
            if error.code == 409 and url.endswith("/actions"):
                return error  # the table has moved on: its next event says how it is
            if error.code not in (408, 429, 503):
                sys.exit(json.load(error)["message"])
        except (OSError, HTTPException):
            pass
        time.sleep(1)


def follow(url, headers):
    """The table, and then whatever happens at it. A line that is lost is taken up where it broke off."""
    while True:
        message = {}
        with suppress(OSError, HTTPException):
            for line in ask(url, headers):
                field, _, value = line.decode().rstrip("\n").partition(": ")
                message[field] = value
                if not field and message.get("event") in ("table", "event"):  # an empty line: the message is whole
                    headers = headers | {"Last-Event-ID": message["id"]}
                    yield json.loads(message["data"])
                    message = {}


def play(address, table=""):
    """Play a match, and print what came of it."""
    api, me = f"{address}/api", {}
    me["Authorization"] = "Bearer " + json.load(ask(f"{api}/guests", me, {"name": "Example"}))["token"]
    if not table:
        game = json.load(ask(f"{api}/games", me))["games"][0]["id"]
        table = json.load(ask(f"{api}/tables", me, {"game": game}))["id"]
    head = json.load(ask(f"{api}/tables/{table}/seat", me, {}))["head"]
    for told in follow(f"{api}/stream?table={table}", me):
        head, view = told["head"] or head, told["view"]
        if head["state"] == "over":
            break
        if view and view["legal"]:
            best = max(view["legal"], key=lambda legal: len(legal["takes"]))
            ask(f"{api}/tables/{table}/actions", me, {"version": view["version"], "action": best["action"]})
        elif view and view["over"] and not head["seats"][view["you"]]["ready"]:
            ask(f"{api}/tables/{table}/ready", me, {"round": head["round"]})
    print(f"The match is over ({head['why']}).")
    for seat, accounts in zip(head["seats"], view["ledger"], strict=True):
        won = "  first place" if seat["seat"] in (head["winners"] or ()) else ""
        print(f"{seat['name'] or seat['bot']}: {accounts}{won}")


if __name__ == "__main__":
    play(*sys.argv[1:])
