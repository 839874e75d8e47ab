"""A whole bot for a Mekuri server, in plain HTTP: it takes as many cards as it can. `docs/view.md` describes the messages.

    python examples/bot.py ADDRESS [TABLE]

TABLE is the last part of a table's link. Without it, the bot makes a table of its own and plays against the server's bot.
"""

import json
import sys
import time
from http.client import HTTPException
from urllib.request import Request, urlopen

address, table = (*sys.argv[1:], "")[:2]
headers = {"Content-Type": "application/json", "Mekuri-Api": "2"}


def ask(path, body=None):
    """Return the answer to a GET, or to a POST if there is a body."""
    return urlopen(Request(f"{address}/api/{path}", json.dumps(body).encode() if body is not None else None, headers), timeout=60)


headers["Authorization"] = "Bearer " + json.load(ask("guests", {"name": "Example"}))["token"]
if not table:
    game = json.load(ask("games"))["games"][0]["id"]
    table = json.load(ask("tables", {"game": game}))["id"]
head = json.load(ask(f"tables/{table}/seat", {}))["head"]
while head["state"] != "over":
    try:
        for line in ask(f"stream?table={table}"):  # it begins with the present table
            message = json.loads(line[6:]) if line.startswith(b"data: ") else {}
            head, view = message.get("head") or head, message.get("view")
            if head["state"] == "over":
                break
            if view and view["legal"]:
                best = max(view["legal"], key=lambda legal: len(legal["takes"]))
                ask(f"tables/{table}/actions", {"version": view["version"], "action": best["action"]})
            elif view and view["over"] and not head["seats"][view["you"]]["ready"]:
                ask(f"tables/{table}/ready", {"round": head["round"]})
    except (OSError, HTTPException):  # the connection is lost, the table has moved on, or the server is overloaded
        time.sleep(1)
winners = [head["seats"][seat] for seat in head["winners"] or ()]
print(f"The match is over ({head['why']}), first:", *(seat["name"] or seat["bot"] for seat in winners))
