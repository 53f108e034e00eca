"""A log of many bot matches, of all titles and table sizes, played once and cached on disk.

Half of the seats, by chance, are held under ids of users.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from random import Random
from shutil import rmtree
from typing import Final

from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.matches.consequences import open_line
from domain.matches.facts import SERVICE, Actor, Clock, Table, is_bot
from domain.matches.log.entries import Entry
from domain.matches.play.in_memory import Choose, InMemoryMatch, play_to_end, seeded_origins
from domain.matches.seats import opening
from domain.titles import TITLES
from ops.dev.laws.tables import tables
from workers.bots import BOTS

CACHE_VERSION: Final = 2
"""Version of the cached logs; increase it when other matches are played."""
INTERLEAVED: Final = 16
"""Number of matches whose entries are interleaved in the log."""
GREEDY_EVERY: Final = 8
"""One match in this many is played by greedy bots, which are slow."""
PEOPLE: Final = 2_000
BEGINNING: Final = datetime(2026, 1, 1, tzinfo=UTC)
LOG: Final = "log.db"


def cache_folder(matches: int) -> Path:
    """Return the cache folder for a log of `matches` matches."""
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(caches) / "esporles" / f"bench-{CACHE_VERSION}-{matches}"


def cached_log(matches: int, on_match: Callable[[int], None], jobs: int = os.cpu_count() or 1) -> Path:
    """Return the path of the cached log; play and store the matches first if it does not exist.

    `on_match` gets the number of matches done. The finished folder appears atomically.
    """
    folder = cache_folder(matches)
    if not (folder / LOG).exists():
        unfinished = folder.with_name(f"{folder.name}.making-{os.getpid()}")
        unfinished.mkdir(parents=True)
        try:
            fill(unfinished / LOG, matches, on_match, jobs)
            rmtree(folder, ignore_errors=True)
            unfinished.rename(folder)
        finally:
            rmtree(unfinished, ignore_errors=True)
    return folder / LOG


def fill(file: Path, matches: int, on_match: Callable[[int], None], jobs: int) -> None:
    """Play the matches in several processes and store them, their entries interleaved in groups of `INTERLEAVED`."""
    store = open_store(store_env(file))
    try:
        with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
            group = list[tuple[Entry, ...]]()
            for number, entries in enumerate(pool.map(play_match, range(matches)), start=1):
                group.append(entries)
                if len(group) == INTERLEAVED or number == matches:
                    store.save(*alternating(group))
                    group = []
                on_match(number)
    finally:
        store.close()


def alternating(group: list[tuple[Entry, ...]]) -> Iterator[Entry]:
    """Yield one entry of each match in turn until all are exhausted."""
    for number in range(max(map(len, group))):
        yield from (entries[number] for entries in group if number < len(entries))


def play_match(number: int) -> tuple[Entry, ...]:
    """Play one match and return its entries; the same number gives the same match.

    It is rated, with a clock, and about half of its seats are held by people.
    """
    random = Random(number)
    kind = BOTS["greedy" if number % GREEDY_EVERY == 0 else "random"]
    title = TITLES[sorted(TITLES)[number % len(TITLES)]]
    seats, chosen = random.choice(tables(title))
    people = [f"p{person}" for person in random.sample(range(PEOPLE), seats)]
    actors = [person if random.random() < 0.5 else kind.actor for person in people]
    table = Table(clock=Clock("per_move", 86_400), rated=True)
    origins = seeded_origins(f"bench {number}".encode())
    fact = opening.open_match(title, seats=seats, options=chosen, table=table, by=SERVICE, seed=origins.seed)
    started_at = BEGINNING + timedelta(seconds=300 * number)
    playout = InMemoryMatch(*open_line(title, fact, origins.match_id, started_at, origins.step), origins)
    for seat, actor in enumerate(actors):
        playout.append(partial(opening.take_seat, seat=seat, by=actor))
    for seat, actor in enumerate(actors):
        if not is_bot(actor):
            playout.append(partial(opening.ready, seat=seat, by=actor))
    return play_to_end(playout, choosing(actors, kind.choose)).entries


def choosing(actors: list[Actor], choose: Choose) -> dict[Actor, Choose]:
    """Let every actor choose by the same function."""
    return dict.fromkeys(actors, choose)
