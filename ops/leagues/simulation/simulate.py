"""The simulation of a year, from the first plan to the checks of its result."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from time import monotonic
from typing import Any

import msgspec
import structlog

from ops.leagues.simulation.checks import Check, Evidence, count_decisions, run_checks
from ops.leagues.simulation.count import faults_of_draw, faults_of_group
from ops.leagues.simulation.service import SimulatedClock, simulated_service
from ops.leagues.simulation.shape import START, Shape, plan_of
from ops.leagues.simulation.year import SimulatedYear
from ops.progress import Steps
from projections.platform.settings import Settings
from projections.platform.telemetry.logs import configure_logs

PAGE: int = 100


class Report(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What happened in a simulated year, and the checks."""

    shape: Shape
    checks: tuple[Check, ...]
    tables: int
    decisions: dict[str, int]
    """Tables by the reason for their result."""
    left: int
    substitutes: int
    disputes: int
    rulings: int
    actions: int
    """Actions of people; bots and the service took others."""
    requests: int
    jobs: int
    refusals: int
    """Acts of people that the service refused, such as an absence from a match that is over."""
    days: int
    seconds: float


def simulate(shape: Shape, progress: Steps) -> Report:
    """Simulate a year; raise `Finding` if the service does not start, or refuses a necessary request."""
    begun_at = monotonic()
    with collect_logs() as log, simulated_service(SimulatedClock(START), shape.seed) as service:
        year = SimulatedYear(service, shape, progress)
        year.run()
        acts = read_acts(year)
        matches = {match_id: table.read(service) for match_id, table in year.tables.items()}
        errors = [line for line in log.getvalue().splitlines() if "level='error'" in line]
        evidence = Evidence(
            seasons=[year.seasons[number] for number in sorted(year.seasons) if number <= shape.seasons],
            next_season=year.seasons.get(shape.seasons + 1),
            acts=acts,
            matches=matches,
            waiting=year.watch.waiting,
            count_faults=count_again(year, matches),
            failures=[*service.failures, *errors],
        )
        return report_of(year, evidence, monotonic() - begun_at)


def report_of(year: SimulatedYear, evidence: Evidence, seconds: float) -> Report:
    """Return the report of a year."""
    service, disputes = year.service, year.disputes
    return Report(
        shape=year.shape,
        checks=tuple(run_checks(evidence)),
        tables=sum(len(season["fixtures"]) for season in evidence.seasons),
        decisions=count_decisions(evidence),
        left=sum(player.has_left for player in year.by_id.values()),
        substitutes=sum(act["kind"] == "substitute_named" for act in evidence.acts),
        disputes=disputes.raised,
        rulings=disputes.ruled,
        actions=sum(table.actions_taken for table in year.tables.values()),
        requests=service.requests_sent,
        jobs=service.jobs_run,
        refusals=len(year.refusals),
        days=(service.clock() - START).days,
        seconds=round(seconds, 1),
    )


def read_acts(year: SimulatedYear) -> list[Any]:
    """Return all acts of the league's record, latest first."""
    path = f"{year.path}/record?limit={PAGE}"
    page = year.service.ask("GET", path, "")
    acts = list(page["acts"])
    while page["next"] is not None:
        page = year.service.ask("GET", f"{path}&before={page['next']}", "")
        acts += page["acts"]
    return acts


def count_again(year: SimulatedYear, matches: dict[str, Any]) -> list[str]:
    """Return the differences between the seasons and an independent count of their tables."""
    plan, faults = plan_of(year.shape), list[str]()
    for number, season in sorted(year.seasons.items()):
        if number <= year.shape.seasons:
            for group in season["groups"]:
                faults += faults_of_group(group, season, plan, matches)
    for number, (proposal, entered) in sorted(year.proposals.items()):
        if number - 1 in year.seasons:
            faults += faults_of_draw(year.seasons[number - 1], proposal, entered, plan)
    return faults


@contextmanager
def collect_logs() -> Iterator[StringIO]:
    """Collect the logs of the service, which is in this process, and restore the configuration of logs afterwards."""
    root, former, stream = logging.getLogger(), structlog.get_config(), StringIO()
    handlers, level = root.handlers[:], root.level
    configure_logs(Settings(), "simulation", stream)
    try:
        yield stream
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        structlog.configure(**former)
