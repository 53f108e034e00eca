"""The checks of a simulated year, and its report."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

SERVICE: Final = "service"
RULINGS: Final = frozenset({"result_ruled"})
"""Acts of an organiser that a league may need: no rule can decide a dispute."""
FAULTS_SHOWN: Final = 3


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """Responses of the API about the league at the end, and observations during the year."""

    seasons: Sequence[Any]
    """Seasons that are over, by number."""
    next_season: Any
    """The season after the last one, or None if it was not drawn."""
    acts: Sequence[Any]
    """Acts of organisers and of the service, with reasons."""
    matches: Mapping[str, Any]
    """Matches of the tables, by id."""
    waiting: Mapping[tuple[int, int], str]
    """The reasons why rounds waited, by season and round."""
    count_faults: Sequence[str]
    """Differences from the independent count."""
    failures: Sequence[str]
    """Jobs that failed, and errors that the service logged."""


class Check(msgspec.Struct, frozen=True, rename="camel"):
    """A check with its result: the number counted, the number wanted, and the faults found."""

    name: str
    counted: int
    wanted: int
    faults: tuple[str, ...] = ()

    @property
    def is_good(self) -> bool:
        """Whether the numbers agree and nothing is wrong."""
        return self.counted == self.wanted and not self.faults


def run_checks(evidence: Evidence) -> list[Check]:
    """Check a year."""
    presses = [act for act in evidence.acts if act["by"] != SERVICE and act["kind"] not in RULINGS]
    tables = [(season, each) for season in evidence.seasons for each in season["fixtures"]]
    unexplained = tuple(faults_of_tables(evidence))
    waiting = tuple(f"season {season}, round {at}: {text}" for (season, at), text in sorted(evidence.waiting.items()))
    is_drawn = evidence.next_season is not None and evidence.next_season["season"]["status"] == "running"
    return [
        Check("presses of an organiser other than rulings", len(presses), 0, tuple(map(describe_act, presses))),
        Check("rounds that waited for a person", len(waiting), 0, waiting),
        Check("tables decided with a recorded reason", len(tables) - len(unexplained), len(tables), unexplained),
        Check("season drawn after the last one", int(is_drawn), 1),
        Check("differences from the independent count", len(evidence.count_faults), 0, tuple(evidence.count_faults)),
        Check("failed jobs and logged errors", len(evidence.failures), 0, tuple(evidence.failures)),
    ]


def describe_act(act: Any) -> str:
    """Return an act for a message."""
    return f"{act['byName']} {act['kind']} at {act['at']}"


def faults_of_tables(evidence: Evidence) -> Iterator[str]:
    """Yield the tables without a result, or with a result that no record explains."""
    reasons = reasons_of_acts(evidence.acts)
    for season in evidence.seasons:
        number = season["season"]["number"]
        for fixture in season["fixtures"]:
            if (fault := fault_of_table(number, fixture, evidence.matches, reasons)) is not None:
                place = ", ".join(f"{name} {fixture[name]}" for name in ("group", "round", "table"))
                yield f"season {number}, {place}: {fault}"


def reasons_of_acts(acts: Sequence[Any]) -> Mapping[tuple[int, int, int, int], str]:
    """Return the reasons of rulings by (season, group, round, table); the latest ruling of a table counts."""
    return {
        (act["season"], act["group"], act["round"], act["table"]): act["reason"]
        for act in sorted(acts, key=lambda act: act["version"])
        if act["kind"] in RULINGS
    }


def fault_of_table(
    season: int, fixture: Any, matches: Mapping[str, Any], reasons: Mapping[tuple[int, int, int, int], str]
) -> str | None:
    """Return the fault in the decision of a table, or None.

    A ruling needs a reason, a match its end; a match that an arbiter voided has the ruling in its log.
    """
    if not fixture["isOver"]:
        return "it has no result"
    if fixture["ruled"]:
        key = (season, fixture["group"], fixture["round"], fixture["table"])
        return None if reasons.get(key, "").strip() else "its ruling has no reason"
    match = matches.get(fixture["matchId"])
    if match is None:
        return "it has neither a match nor a ruling"
    if fixture["void"]:
        return None if match.status == "void" else f"it does not count, but its match is {match.status}"
    if match.status != "ended":
        return f"it has a result, but its match is {match.status}"
    return None if list(match.scores) == fixture["scores"] else "its result differs from that of its match"


def count_decisions(evidence: Evidence) -> dict[str, int]:
    """Return the number of tables by the reason for their result."""
    reasons = reasons_of_acts(evidence.acts)
    counts = Counter[str]()
    for season in evidence.seasons:
        for fixture in season["fixtures"]:
            key = (season["season"]["number"], fixture["group"], fixture["round"], fixture["table"])
            played = "voided by an arbiter" if fixture["void"] else "played to the end"
            counts[reasons.get(key, "") if fixture["ruled"] else played] += 1
    return dict(sorted(counts.items()))


def failed_sentence(checks: Sequence[Check]) -> str:
    """Return a sentence about the checks that failed; empty if none did."""
    failed = []
    for check in checks:
        if not check.is_good:
            shown = "; ".join(check.faults[:FAULTS_SHOWN])
            more = f" and {len(check.faults) - FAULTS_SHOWN} more" if len(check.faults) > FAULTS_SHOWN else ""
            failed.append(
                f"{check.name}: {check.counted}, expected {check.wanted}" + (f" ({shown}{more})" if shown else "")
            )
    return "the league did not run itself: " + "; ".join(failed) if failed else ""
