"""The report of two scrapes."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

import pytest
from rich.console import Console

from ops.status.report import quantile_of, report
from ops.status.scraping import Process, Sample, Scrape
from ops.status.screen import screen

NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)
LABELS: Final = {"method": "GET", "route": "/api/matches/{match_id}"}


def sample(name: str, value: float, **labels: str) -> Sample:
    return Sample(name, labels, value)


def web(responses: float, faults: float = 0.0, *samples: Sample) -> Process:
    """Return the scrape of a web process that gave nine of ten responses within 1 ms, the others within 10 ms."""
    return Process(
        "service",
        (
            sample("esporles_process", 1, role="web", version="1"),
            sample("process_cpu_seconds_total", responses / 100),
            sample("process_resident_memory_bytes", 100e6),
            sample("process_open_fds", 12),
            sample("esporles_requests_total", responses, status="200", **LABELS),
            sample("esporles_requests_total", faults, status="503", **LABELS),
            sample("esporles_request_seconds_count", responses, **LABELS),
            sample("esporles_request_seconds_bucket", responses * 0.9, le="0.001", **LABELS),
            sample("esporles_request_seconds_bucket", responses, le="0.01", **LABELS),
            sample("esporles_request_seconds_bucket", responses, le="+Inf", **LABELS),
            sample("esporles_cache_total", responses * 3, cache="answers", outcome="hit"),
            sample("esporles_cache_total", responses, cache="answers", outcome="miss"),
            *samples,
        ),
    )


def follower(lag: int = 0, late: int = 0, led: int = 1) -> Process:
    return Process(
        "follower",
        (
            sample("esporles_process", 1, role="follower", version="1"),
            sample("esporles_log_position", 1_000),
            sample("esporles_follower_lag_entries", lag, follower="boards"),
            sample("esporles_lane_led", 1, lane="boards"),
            sample("esporles_lane_led", led, lane="slice 2"),
            sample("esporles_duties_owed", late + 1, job="bot_turn"),
            sample("esporles_duties_late", late, job="bot_turn"),
        ),
    )


def test_rates_are_averages_between_two_scrapes() -> None:
    status_report = report(Scrape(10.0, (web(100), follower())), Scrape(12.0, (web(300), follower())), NOW)

    assert status_report.requests_per_second == status_report.statuses["200"] == 100
    assert status_report.processes[0].cores == 1.0
    assert status_report.routes[0].route == "/api/matches/{match_id}"
    assert status_report.routes[0].p99_seconds == pytest.approx(0.0091)
    assert status_report.caches == {"answers": 0.75}
    assert status_report.attention == ()


def test_a_restarted_process_counts_from_zero() -> None:
    status_report = report(Scrape(10.0, (web(1_000),)), Scrape(12.0, (web(50),)), NOW)

    assert status_report.requests_per_second == 25


def test_problems_are_reported() -> None:
    tree = (
        sample("esporles_tree_served", 1),
        sample("esporles_tree_leaves", 90),
        sample("esporles_tree_signed_leaves", 80),
        sample("esporles_tree_signed_timestamp_seconds", NOW.timestamp() - 90),
        sample("esporles_refused_streams", 2),
    )
    before = Scrape(10.0, (web(100), follower(), Process("worker-1")))
    after = Scrape(12.0, (web(100, 4, *tree), follower(lag=700, late=3, led=0), Process("worker-1")))

    assert report(before, after, NOW).attention == (
        "worker-1 does not respond",
        "2.0 requests a second fail with a server error",
        "boards is 700 entries behind the log",
        "no leader for slice 2",
        "3 overdue jobs (bot_turn)",
        "2 matches or records differ from the signed tree and are blocked",
        "the latest checkpoint is 90 s old, and newer leaves are unsigned",
    )


def test_quantiles_equal_those_of_prometheus() -> None:
    bounds = [(0.1, 50.0), (0.2, 100.0), (float("inf"), 100.0)]

    assert quantile_of(0.5, bounds) == pytest.approx(0.1)
    assert quantile_of(0.75, bounds) == pytest.approx(0.15)
    assert quantile_of(0.99, [(0.1, 1.0), (float("inf"), 100.0)]) == 0.1
    assert quantile_of(0.99, []) is None
    assert quantile_of(0.99, [(0.1, 0.0), (float("inf"), 0.0)]) is None


@pytest.mark.parametrize("width", [80, 120, 200])
def test_the_screen_shows_the_report(width: int) -> None:
    """Without data, with data and with problems; no line exceeds the terminal's width."""
    empty_report = report(Scrape(0.0, ()), Scrape(1.0, ()), NOW)
    full_report = report(Scrape(10.0, (web(100), follower())), Scrape(12.0, (web(300, 7), follower(lag=700))), NOW)
    for status_report in (empty_report, full_report):
        console = Console(width=width, record=True, file=None, quiet=False, force_terminal=False)
        with console.capture() as captured:
            console.print(screen(status_report, "var"))
        assert all(len(line) <= width for line in captured.get().splitlines())
    assert "boards is 700 entries behind the log" in captured.get()
    assert "100/s" in captured.get()


@pytest.mark.parametrize("encrypted", [None, 1, 0])
def test_a_key_in_clear_text_is_a_risk_and_no_problem(encrypted: int | None) -> None:
    samples = () if encrypted is None else (sample("esporles_log_key_encrypted", encrypted),)
    status_report = report(Scrape(10.0, (web(1, 0, *samples),)), Scrape(12.0, (web(1, 0, *samples),)), NOW)

    console = Console(record=True, width=120)
    console.print(screen(status_report, "here"))

    risk = "the key of the transparency log is stored in clear text (ESPORLES_KEY_PASSPHRASE)"
    assert (status_report.risks, status_report.attention) == ((risk,) if encrypted == 0 else (), ())
    assert (risk in console.export_text()) == (encrypted == 0)
