"""The bot of `docs/build-on-it/bots.md` plays a match over HTTP in a separate process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.signing import Pen
from tests.workers.serving import PATIENCE_SECONDS, Client, serving

PROGRAM = Path(__file__).parents[3] / "docs" / "build-on-it" / "outside_bot.py"
ACCOUNT = {"name": "Engine of Ana", "password": "correct horse battery"}


def run(url: str, token: str, match: str) -> subprocess.CompletedProcess[str]:
    """Run the program of the guide at one table."""
    return subprocess.run(
        [sys.executable, str(PROGRAM), url, match],
        env=os.environ | {"ESPORLES_TOKEN": token},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )


def test_a_refused_bot_prints_the_reason_in_one_line(tmp_path: Path) -> None:
    """Refusals: a seat that must sign, because a key is registered, and an unknown token."""
    with serving(tmp_path, worker_count=0) as service:
        anonymous, url = Client(service.started.url), service.started.url
        anonymous.post("/accounts", ACCOUNT)
        token = anonymous.post("/tokens", ACCOUNT)["secret"]
        owner = Client(url, token)
        owner.ask("POST", "/me/bot", {})
        owner.post("/me/keys", {"key": Pen("the program").key})
        table = {"title": "el_grande", "seats": 2, "table": {"programs": True}}
        match = service.player().post("/matches", table)["matchId"]
        unsigned, unknown = run(url, token, match), run(url, "esp_nonsense", match)

    assert unsigned.returncode == unknown.returncode == 1
    assert unsigned.stderr.startswith(f"refused: /api/matches/{match}/ready: 422 signature/missing: ")
    assert unknown.stderr.startswith("refused: /api/me: 401 caller/unknown: ")
    assert (unsigned.stderr + unknown.stderr).count("\n") == 2


@pytest.mark.walk
def test_the_bot_of_the_guide_plays_a_match_to_its_end(tmp_path: Path) -> None:
    with serving(tmp_path, worker_count=1) as service:
        anonymous, url = Client(service.started.url), service.started.url
        anonymous.post("/accounts", ACCOUNT)
        owner = Client(url, anonymous.post("/tokens", ACCOUNT)["secret"])
        assert owner.ask("POST", "/me/bot", {})[0] == 204
        token = anonymous.post("/tokens", ACCOUNT | {"scopes": ["read", "play"]})["secret"]
        opener = service.player()
        table = {"title": "el_grande", "seats": 2, "options": {"short": "yes"}, "table": {"programs": True}}
        match = opener.post("/matches", table)["matchId"]
        opener.post(f"/matches/{match}/seats", {"seat": 1, "bot": "random"})
        process = run(url, token, match)
        view = opener.get(f"/matches/{match}")

    assert (process.returncode, process.stderr) == (0, "")
    assert process.stdout.startswith(f"{ACCOUNT['name']} sits on seat 1 of {match}\n")
    assert f"{match} is over: place " in process.stdout
    assert (view["status"], view["seats"][0]["player"]["name"]) == ("ended", f"{ACCOUNT['name']} (bot)")


@pytest.mark.walk
def test_the_smallest_bot_plays_a_match_to_its_end(tmp_path: Path) -> None:
    with serving(tmp_path, worker_count=1) as service:
        anonymous, url = Client(service.started.url), service.started.url
        anonymous.post("/accounts", ACCOUNT)
        token = anonymous.post("/tokens", ACCOUNT)["secret"]
        opener = Client(url, token)
        match = opener.post("/matches", {"title": "el_grande", "seats": 2})["matchId"]
        opener.post(f"/matches/{match}/seats", {"seat": 1, "bot": "random"})
        process = subprocess.run(
            [sys.executable, str(PROGRAM.with_name("smallest_bot.py")), url, match, "0"],
            env=os.environ | {"ESPORLES_TOKEN": token},
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )

    assert (process.returncode, process.stderr) == (0, "")
    assert process.stdout.startswith("ended [")
