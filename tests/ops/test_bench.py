"""The benchmarks measure what they say: the material they make is what the budgets are stated for."""

from pathlib import Path

from ops.bench.figures import milliseconds, percentile
from ops.bench.logs import effects_of, long_match
from ops.bench.positions import ENTRIES, matches_of_600
from ops.bench.writer import figures, longest
from ops.door import ServiceAddress
from tests.api.house import SERVICE_TOKEN, behind_sockets


def test_the_matches_have_the_entries_of_the_budget() -> None:
    """Any entry of a 600-entry match (DESIGN §11)."""
    entries, longer = next(matches_of_600()), long_match()

    assert ENTRIES <= len(entries) < 1.25 * ENTRIES
    assert len(longer) > 1.5 * ENTRIES
    assert len(effects_of(entries)) > len(entries)


def test_a_percentile_is_one_of_the_values() -> None:
    assert percentile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert percentile([3.0, 1.0, 2.0], 1.0) == 3.0


def test_the_longest_command_of_each_name_is_measured(tmp_path: Path) -> None:
    with behind_sockets(tmp_path) as door:
        wanted = {"title": "la_granja", "seats": 2}
        match_id = door.ask("POST", "/matches", wanted, SERVICE_TOKEN, private=True)[1]["matchId"]
        seat = {"seat": 0, "bot": "random@1"}
        assert door.ask("POST", f"/matches/{match_id}/seats", seat, SERVICE_TOKEN, private=True)[0] == 201
        assert door.ask("POST", "/matches", {"title": "chess", "seats": 2}, SERVICE_TOKEN, private=True)[0] == 422
        found = longest(ServiceAddress(str(door.path), SERVICE_TOKEN))

    assert {"api.matches.commands.open_match", "api.matches.commands.seat_bot"} <= found.keys()
    assert all(0 < seconds < 60 for seconds in found.values())


def test_the_slowest_command_is_named_first_and_held_against_the_budget() -> None:
    first, second = figures({"quick": 0.001, "slow": 0.051})

    assert (first.what, first.absolute, first.is_met) == ("slow", milliseconds(0.051), False)
    assert (second.what, second.is_met) == ("quick", True)
