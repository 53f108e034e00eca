"""The long law run: many random matches over all processors, with laws at every node.

Cheap laws hold in every match; the thorough ones, which read the log, and the audit in one of every few matches.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import islice
from multiprocessing import get_context

import msgspec

from ops.laws.check import audit_is_clean, cheap_laws, check_match
from ops.laws.tables import tables
from ops.laws.walk import LawBroken
from ops.players import FindPlayers, load_players


class LawRun(msgspec.Struct, frozen=True):
    """What a long run found; `broken` has a sentence for every match in which a law did not hold."""

    title: str
    matches: int
    thorough: int
    """Matches in which all laws were held, their logs audited."""
    nodes: int
    entries_audited: int
    broken: tuple[str, ...]


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
    """Plays `matches` matches, by turns at all tables of the title; `on_match` hears how many are done."""
    nodes = entries = 0
    broken = list[str]()
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        for done, result in enumerate(_results(pool, matches, (title, seed, all_laws_every, find_players)), start=1):
            nodes, entries = nodes + result[0], entries + result[1]
            if result[2]:
                broken.append(result[2])
            if on_match is not None:
                on_match(done)
    return LawRun(title, matches, len(range(0, matches, all_laws_every)), nodes, entries, tuple(sorted(broken)))


Run = tuple[str, str, int, FindPlayers]
"""Title, seed, every how many matches all laws hold, and where the title is found."""


def _results(pool: ProcessPoolExecutor, matches: int, run: Run) -> Iterator[tuple[int, int, str]]:
    """The matches' results as they come, with a bounded number of them under way."""
    waiting = iter(range(matches))
    under_way = {pool.submit(_play, number, *run) for number in islice(waiting, 64)}
    while under_way:
        ready = next(as_completed(under_way))
        under_way.remove(ready)
        under_way.update(pool.submit(_play, number, *run) for number in islice(waiting, 1))
        yield ready.result()


def _play(number: int, title: str, seed: str, every: int, find_players: FindPlayers) -> tuple[int, int, str]:
    """One match: its nodes, the entries of the audited one, and what broke.

    The thorough laws go by turns through the tables on their own, so that every table has its share of them.
    """
    played = find_players().titles[title]
    places, name = tables(played), f"{seed}/{number}"
    seats, chosen = places[(number if number % every else number // every) % len(places)]
    try:
        if number % every:
            return check_match(played, seats, name, chosen, cheap_laws(title)), 0, ""
        return check_match(played, seats, name, chosen), audit_is_clean(played, seats, name, chosen), ""
    except LawBroken as broken:
        return 0, 0, str(broken)
