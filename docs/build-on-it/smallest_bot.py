"""Play one match at random: `ESPORLES_TOKEN=… python smallest_bot.py http://127.0.0.1:8000 MATCH SEAT`."""

import json
import os
import random
import sys
import time
from typing import Any
from urllib.request import Request, urlopen

url, seat = f"{sys.argv[1]}/api/matches/{sys.argv[2]}", int(sys.argv[3])
headers = {"Authorization": f"Bearer {os.environ['ESPORLES_TOKEN']}", "Content-Type": "application/json"}


def ask(path: str, body: Any = None) -> Any:
    """Send a request about the match and return the response."""
    return json.load(urlopen(Request(url + path, None if body is None else json.dumps(body).encode(), headers)))


ask("/seats", {"seat": seat})
match = ask("/ready", {})
while match["status"] not in {"ended", "void"}:
    if seat in match["toAct"] and (legal := ask("/legal-actions"))["actions"]:
        ask("/actions", {"expectedVersion": legal["version"], "action": random.choice(legal["actions"])["action"]})
    time.sleep(0.2)
    match = ask("")
print(match["status"], match["scores"])
