"""`esporles dispute` and `esporles audit` with a running service: list, show, rule and export."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from ops.cli import main
from ops.keys import make_key
from ops.service_client import ServiceAddress, fetch, write_address
from tests.workers.serving import Client, Serving, serving

TOKEN: Final = "the-service-itself"
POLLS_MAX: Final = 20_000

CommandResult = tuple[int, str, str]


class Console:
    """The console for a data folder."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.capsys = capsys

    def runs(self, *args: str) -> CommandResult:
        """Run a command; return exit status, stdout and stderr."""
        status = main([*args, "--data", str(self.folder)])
        output = self.capsys.readouterr()
        return status, output.out, output.err

    def tells(self, *args: str) -> Any:
        """Run a command that succeeds; return its JSON output."""
        status, out, err = self.runs(*args, "--json")
        assert status == 0, err
        return msgspec.json.decode(out)

    def rules(self, dispute: Any, by: str, *args: str) -> CommandResult:
        return self.runs("dispute", "rule", dispute["id"], "--by", by, "--rule", "4.2", "--reasons", "So it is.", *args)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Serving]:
    with serving(tmp_path, worker_count=1, ESPORLES_TOKEN=TOKEN) as service:
        write_address(tmp_path, ServiceAddress(service.started.socket, TOKEN))
        yield service


@pytest.fixture
def console(service: Serving, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Console:
    return Console(tmp_path, capsys)


def until(read: Callable[[], Any], condition: Callable[[Any], bool]) -> Any:
    """Poll until the read models have caught up."""
    for _ in range(POLLS_MAX):
        if condition(value := read()):
            return value
    raise AssertionError(f"after {POLLS_MAX} looks the service still says {value}")


def play_match(players: tuple[Client, Client]) -> tuple[str, int]:
    """Play a match of the two with four actions; return its id and latest version."""
    first, _ = players
    match_id = str(first.post("/matches", {"title": "la_granja", "seats": 2})["matchId"])
    for seat, player in enumerate(players):
        player.post(f"/matches/{match_id}/seats", {"seat": seat})
    for player in players:
        player.post(f"/matches/{match_id}/ready", {})
    for _ in range(4):
        acts(players, match_id)
    return match_id, int(first.get(f"/matches/{match_id}?atLeast=10")["version"])


def acts(players: tuple[Client, Client], match_id: str) -> None:
    """Let the player to act take the first legal action."""
    for player in players:
        legal = player.get(f"/matches/{match_id}/legal-actions")
        if legal["actions"]:
            body = {"expectedVersion": legal["version"], "action": legal["actions"][0]["action"]}
            player.post(f"/matches/{match_id}/actions", body)
            return


def raise_dispute(player: Client, match_id: str, entry: int) -> Any:
    return player.post(f"/matches/{match_id}/disputes", {"entry": entry, "reason": "That was wrong."})


@pytest.mark.walk
def test_disputes_are_ruled_on_from_the_console(service: Serving, console: Console, tmp_path: Path) -> None:
    players = service.player(), service.player()
    for _ in range(2):
        service.player()
    for name in ("player 1", "player 3", "player 4"):
        grant = msgspec.json.encode({"person": name, "role": "arbiter"})
        fetch(ServiceAddress(service.started.socket, TOKEN), "POST", "/api/roles", grant)
    match_id, last = play_match(players)
    dispute = raise_dispute(players[0], match_id, last)

    listed = until(lambda: console.tells("dispute", "list"), lambda response: response["disputes"] != [])
    assert [each["id"] for each in listed["disputes"]] == [dispute["id"]]
    assert console.tells("dispute", "list", "--event", "no such & event")["disputes"] == []
    status, out, _ = console.runs("dispute", "show", dispute["id"])
    assert status == 0
    assert "That was wrong." in out
    assert "none yet" in out

    for by, measures, reason in (
        ("player 1", (), "plays in the match"),
        ("player 2", (), "is not an arbiter of this match"),
        ("nobody", (), "'nobody'"),
        ("player 3", ("--resume", "9999"), "not from 9999"),
        ("player 3", ("--warn", "7"), "7"),
        ("player 3", ("--result", "1,2,3:1,2,3"), "a result needs"),
        ("player 3", ("--seconds", "0:5"), "clock"),
    ):
        status, _, err = console.rules(dispute, by, *measures)
        assert (status, reason in err) == (1, True), err
    assert players[0].get(f"/disputes/{dispute['id']}")["status"] == "open"

    status, out, err = console.rules(dispute, "player 3", "--warn", "1", "--points", "0:2")
    assert status == 0, err
    assert "by player 3, rule 4.2: So it is." in out
    assert "An arbiter deducts 2 points from Player 1" in out
    status, _, err = console.rules(dispute, "player 4", "--void")
    assert status == 1
    assert "ruled on this dispute" in err
    assert players[1].get(f"/matches/{match_id}/rulings")["penalties"] == [2, 0]

    second = raise_dispute(players[1], match_id, last)
    status, _, err = console.rules(second, "player 4", "--resume", str(last - 1))
    assert status == 0, err
    resumed_id = players[0].get(f"/disputes/{second['id']}")["officialLine"]
    assert resumed_id != match_id
    acts(players, resumed_id)
    until(lambda: console.tells("dispute", "list", "--all"), lambda response: len(response["disputes"]) == 2)
    until(lambda: console.tells("dispute", "list"), lambda response: response["disputes"] == [])

    trail = tmp_path / "trail.jsonl"
    exported = console.tells("audit", "export", "--out", str(trail))
    checked = console.tells("audit", "verify", str(trail), "--head", exported["head"])
    assert (checked["good"], checked["records"]) == (True, exported["records"])
    tags = [msgspec.json.decode(line)["body"]["type"] for line in trail.read_bytes().splitlines()[1:]]
    assert tags == ["audit.role_changed"] * 3 + ["audit.ruling_made"] * 2 + ["audit.audit_read"]


def test_an_arbiter_signs_on_the_console(service: Serving, console: Console, tmp_path: Path) -> None:
    """A ruling needs the key that the role names. The log names the arbiter."""
    players, arbiter = (service.player(), service.player()), service.player()
    key, other = make_key(tmp_path / "arbiter.key"), tmp_path / "other.key"
    make_key(other)
    arbiter.post("/me/keys", {"key": key.key})
    grant = msgspec.json.encode({"person": "player 3", "role": "arbiter"})
    fetch(ServiceAddress(service.started.socket, TOKEN), "POST", "/api/roles", grant)
    match_id, last = play_match(players)
    dispute = raise_dispute(players[0], match_id, last)

    for key_option in ((), ("--key", str(other))):
        status, _, err = console.rules(dispute, "player 3", "--warn", "1", *key_option)
        assert (status, "must sign this as an official" in err) == (1, True), err
    status, _, err = console.rules(dispute, "player 3", "--warn", "1", "--key", str(tmp_path / "arbiter.key"))
    assert status == 0, err
    (ruling,) = [
        entry["body"]
        for entry in players[0].get(f"/matches/{match_id}/entries")["entries"]
        if entry["body"]["type"] == "ruling_given"
    ]
    assert ruling["signed"]["key"] == key.key
