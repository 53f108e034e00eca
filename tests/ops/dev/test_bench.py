"""The benchmarks' inputs are the ones for which the budgets are stated."""

import math
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from api.http.commit_queue import CommandTime as HeldByCommand
from api.tournaments.schemas import SetPairs
from domain.matches.log.log_files import ENTRIES_MAX, FILE_MAX
from domain.proofs.match import verify_content
from domain.ratings.ladder import end_of_month, period_of
from domain.titles import TITLES
from ops.dev.bench.bodies import HoldMeasurement, file_bodies, form_bodies, json_bodies, rows_of
from ops.dev.bench.figures import milliseconds, percentile
from ops.dev.bench.logs import effects_of, long_match
from ops.dev.bench.positions import ENTRIES, matches_of_600
from ops.dev.bench.rankings import BEGAN, DEFINED, ROUNDS, measure_freezing, results
from ops.dev.bench.verifying import largest_log, logs_of
from ops.dev.bench.webs import LATE, LoadResult, cost_row, estimate_latency, estimate_rate_max, estimate_rows
from ops.dev.bench.whole_matches import whole_matches
from ops.dev.bench.writer import figures, slowest_commands
from ops.service_client import ServiceAddress
from tests.api.service import SERVICE_TOKEN, behind_sockets


def test_the_matches_have_the_entries_of_the_budget() -> None:
    """The budget is for any entry of a 600-entry match (DESIGN §11)."""
    entries, longer = next(matches_of_600()), long_match()

    assert ENTRIES <= len(entries) < 1.25 * ENTRIES
    assert len(longer) > 1.4 * ENTRIES
    assert len(effects_of(entries)) > len(entries)


def test_a_percentile_is_one_of_the_values() -> None:
    assert percentile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert percentile([3.0, 1.0, 2.0], 1.0) == 3.0


def test_the_longest_command_of_each_name_is_measured(tmp_path: Path) -> None:
    with behind_sockets(tmp_path) as service:
        table = {"title": "la_granja", "seats": 2}
        match_id = service.ask("POST", "/matches", table, SERVICE_TOKEN, private=True)[1]["matchId"]
        seat = {"seat": 0, "bot": "random@1"}
        assert service.ask("POST", f"/matches/{match_id}/seats", seat, SERVICE_TOKEN, private=True)[0] == 201
        assert service.ask("POST", "/matches", {"title": "chess", "seats": 2}, SERVICE_TOKEN, private=True)[0] == 422
        durations = slowest_commands(ServiceAddress(str(service.path), SERVICE_TOKEN))

    assert {"api.matches.commands.open_match", "api.matches.commands.seat_bot"} <= durations.keys()
    assert all(0 < duration.processor < 60 and 0 < duration.seconds < 60 for duration in durations.values())


def test_the_slowest_command_is_listed_first_with_its_budget() -> None:
    """Sorted by processor time plus one commit, because elapsed time depends on the machine's other load."""
    durations = {"quick": HeldByCommand(0.300, 0.001), "slow": HeldByCommand(0.051, 0.049)}

    commit, first, second = figures(durations, 0.002)

    assert (commit.what, commit.absolute, commit.is_met) == ("a bare commit", milliseconds(0.002), None)
    assert (first.what, first.ratio, first.is_met) == ("slow", "1.02×", False)
    assert (second.what, second.is_met) == ("quick", True)


@pytest.mark.walk
def test_whole_matches_of_every_title_are_played_as_the_writer_plays_them() -> None:
    durations = whole_matches(matches=1)

    for title in TITLES:
        kinds = ("open", "take a seat", "act", "act, cold cache")
        assert all(durations[f"{title}: {kind}"].processor > 0 for kind in kinds)
    assert durations["act after 600 entries, cold cache"].processor > 0


def test_logs_to_verify_cover_every_number_of_players() -> None:
    title = TITLES["el_grande"]

    logs = logs_of(title, len(title.players) + 1)

    seats = [len(msgspec.json.decode(log.split(b"\n")[-2])["body"]["scores"]) for log in logs]
    assert seats == [*title.players, title.players.start]


def test_the_largest_invalid_log_has_a_valid_chain() -> None:
    log = largest_log()
    fault = verify_content(log).fault

    assert FILE_MAX * 0.95 < len(log) <= FILE_MAX
    assert ENTRIES_MAX * 0.95 < log.count(b"\n") - 1 <= ENTRIES_MAX
    assert fault is not None
    assert (fault.entry, fault.kind) == (2, "legality")


def test_the_queue_estimate_follows_the_textbook() -> None:
    """M/M/1 at half load: time in the system is exponential with twice the mean service time."""
    assert estimate_latency(0.002, 250, 1) == pytest.approx(0.004 * math.log(100))
    assert estimate_latency(0.002, 500, 2) == pytest.approx(estimate_latency(0.002, 250, 1))
    assert estimate_latency(0.002, 500, 1) == math.inf
    assert estimate_latency(0.002, estimate_rate_max(0.002, 3), 3) == pytest.approx(LATE)
    assert estimate_rate_max(0.02, 1) == 0


def test_every_player_of_the_ranking_list_has_results_before_its_first_closed_month_ends() -> None:
    rated_results = list(results(40))

    counts = Counter(player for result in rated_results for player in result.players)
    assert {*counts.values()} == {ROUNDS}
    assert len(counts) == 40
    assert BEGAN <= rated_results[0].ended_at < rated_results[-1].ended_at < end_of_month(period_of(DEFINED))


@pytest.mark.walk
def test_two_months_of_a_ranking_list_are_frozen() -> None:
    lines, *durations = measure_freezing(40)

    assert lines == 40
    assert all(duration > 0 for duration in durations)


def test_two_web_processes_are_compared_with_one() -> None:
    single_process, cheap, expensive = (LoadResult(100.0, each, [0.01]) for each in (0.010, 0.012, 0.013))

    assert (cost_row(20, single_process, cheap).is_met, cost_row(20, single_process, cheap).ratio) == (True, "1.20×")
    assert cost_row(20, single_process, expensive).is_met is False
    assert all(
        "estimated, not measured (M/M/1, each web process on its own core):" in row.what and row.is_met is None
        for row in estimate_rows(0.01, 0.01)
    )


def test_bodies_almost_reach_their_limit() -> None:
    limit = 64 * 1024
    bodies = dict((*json_bodies(limit, SetPairs), *file_bodies(limit)))
    bodies |= {f"form: {name}": content for name, _, content in form_bodies(limit, "0" * 64)}
    lists = {bodies.pop("list forbidden"), bodies.pop("list wished")}

    assert len(bodies) > 12
    assert all(0.99 * limit < len(content) <= limit for content in bodies.values())
    assert all(len(msgspec.json.decode(content).popitem()[1]) == 2_000 for content in lists)


def test_the_longest_hold_is_listed_first_with_its_budget() -> None:
    first, slowest, *_, faults = rows_of(
        {"a": HoldMeasurement(0.010, 0.02, 200), "b": HoldMeasurement(0.120, 0.3, 503)}
    )

    assert (first.ratio, first.is_met) == ("1.20×", False)
    assert slowest.what == "b"
    assert (faults.absolute, faults.is_met) == ("b", False)
