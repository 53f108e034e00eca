"""Long runs of the laws: many random matches on all processors, with laws checked at every node.

Cheap laws are checked in every match; thorough ones, which read the log, and the audit in one match of N.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import islice
from multiprocessing import get_context

import msgspec

from ops.dev.laws.check import audit_is_clean, cheap_laws, check_match
from ops.dev.laws.tables import tables
from ops.dev.laws.walk import LawBroken
from ops.players import FindPlayers, load_players


class LawRun(msgspec.Struct, frozen=True):
    """The result of a run; `broken` has a sentence for every match that broke a law."""

    title: str
    matches: int
    thorough: int
    """Matches in which all laws were checked and the log was audited."""
    nodes: int
    entries_audited: int
    broken: tuple[str, ...]


class LawsWanted(msgspec.Struct, frozen=True):
    """The matches of a run, by title and seed; all laws are checked in one of `all_laws_every`."""

    title: str
    seed: str = "laws"
    all_laws_every: int = 1


MatchChecked = tuple[int, int, str]
"""Nodes of a match, entries audited, and the broken law if any."""


def run_laws(
    title: str,
    matches: int,
    *,
    processes: int,
    seed: str = "laws",
    all_laws_every: int = 1,
    on_match: Callable[[int], None] | None = None,
    find_players: FindPlayers = load_players,
) -> LawRun:
    """Check `matches` matches in several processes, cycling through the title's tables.

    All laws are checked in one match of `all_laws_every`, cheap ones in others. `on_match` is called with the number
    done. Broken laws are in the result, not raised.
    """
    plan = LawsWanted(title, seed, all_laws_every)
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        return sum_up(plan, matches, _results(pool, matches, plan, find_players), on_match)


def sum_up(
    plan: LawsWanted,
    matches: int,
    results: Iterable[MatchChecked],
    on_match: Callable[[int], None] | None = None,
) -> LawRun:
    """Sum up results in any order; broken laws are sorted. `on_match` is called with the number done."""
    nodes = entries = 0
    violations = list[str]()
    for count, result in enumerate(results, start=1):
        nodes, entries = nodes + result[0], entries + result[1]
        if result[2]:
            violations.append(result[2])
        if on_match is not None:
            on_match(count)
    thorough = len(range(0, matches, plan.all_laws_every))
    return LawRun(plan.title, matches, thorough, nodes, entries, tuple(sorted(violations)))


def _results(
    pool: ProcessPoolExecutor, matches: int, plan: LawsWanted, find_players: FindPlayers
) -> Iterator[MatchChecked]:
    """Yield results in order of completion, with at most 64 matches in progress."""
    pending = iter(range(matches))
    in_progress = {pool.submit(check_number, number, plan, find_players) for number in islice(pending, 64)}
    while in_progress:
        ready = next(as_completed(in_progress))
        in_progress.remove(ready)
        in_progress.update(pool.submit(check_number, number, plan, find_players) for number in islice(pending, 1))
        yield ready.result()


def check_number(number: int, plan: LawsWanted, find_players: FindPlayers = load_players) -> MatchChecked:
    """Check one match: all laws and the audit in one of `all_laws_every`, cheap laws in others.

    Thoroughly checked matches cycle through the tables separately, so that every table gets its share of them. A broken
    law is returned, with counts of 0.
    """
    title, interval = find_players().titles[plan.title], plan.all_laws_every
    table_kinds, name = tables(title), f"{plan.seed}/{number}"
    seats, chosen = table_kinds[(number if number % interval else number // interval) % len(table_kinds)]
    try:
        if number % interval:
            return check_match(title, seats, name, chosen, cheap_laws(plan.title)), 0, ""
        return check_match(title, seats, name, chosen), audit_is_clean(title, seats, name, chosen), ""
    except LawBroken as broken:
        return 0, 0, str(broken)
