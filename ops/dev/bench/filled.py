"""A log of many real matches for measurements: of all titles and table sizes, played by bots, at some seats in the name
of people. It is played once and kept in a folder of its own."""

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
from domain.matches.play.in_memory import Choose, Play, play_on, seed_luck
from domain.matches.seats import opening
from domain.titles import TITLES
from ops.dev.laws.tables import tables
from workers.bots import BOTS

FORM: Final = 2
"""Goes up when other matches are played, so that what was kept before is not taken for them."""
SIDE_BY_SIDE: Final = 16
"""The matches whose entries alternate in the log."""
GREEDY_EVERY: Final = 8
"""One match of so many is played by greedy bots, which take their time."""
PEOPLE: Final = 2_000
BEGINNING: Final = datetime(2026, 1, 1, tzinfo=UTC)
LOG: Final = "log.db"


def kept_folder(matches: int) -> Path:
    """Where a log of so many matches is kept."""
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(caches) / "esporles" / f"bench-{FORM}-{matches}"


def filled_log(matches: int, on_match: Callable[[int], None], jobs: int = os.cpu_count() or 1) -> Path:
    """The file of the log, played first where it is not there yet."""
    folder = kept_folder(matches)
    if not (folder / LOG).exists():
        making = folder.with_name(f"{folder.name}.making-{os.getpid()}")
        making.mkdir(parents=True)
        try:
            fill(making / LOG, matches, on_match, jobs)
            rmtree(folder, ignore_errors=True)
            making.rename(folder)
        finally:
            rmtree(making, ignore_errors=True)
    return folder / LOG


def fill(file: Path, matches: int, on_match: Callable[[int], None], jobs: int) -> None:
    """Plays the matches in processes of their own and stores them, some side by side."""
    store = open_store(store_env(file))
    try:
        with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
            group = list[tuple[Entry, ...]]()
            for number, entries in enumerate(pool.map(played, range(matches)), start=1):
                group.append(entries)
                if len(group) == SIDE_BY_SIDE or number == matches:
                    store.save(*alternating(group))
                    group = []
                on_match(number)
    finally:
        store.close()


def alternating(group: list[tuple[Entry, ...]]) -> Iterator[Entry]:
    """One entry of each in turn, for as long as each has one."""
    for number in range(max(map(len, group))):
        yield from (entries[number] for entries in group if number < len(entries))


def played(number: int) -> tuple[Entry, ...]:
    """The log of one match; the same number gives the same match."""
    random = Random(number)
    kind = BOTS["greedy" if number % GREEDY_EVERY == 0 else "random"]
    title = TITLES[sorted(TITLES)[number % len(TITLES)]]
    seats, chosen = random.choice(tables(title))
    people = [f"p{person}" for person in random.sample(range(PEOPLE), seats)]
    actors = [person if random.random() < 0.5 else kind.actor for person in people]
    table = Table(clock=Clock("per_move", 86_400), rated=True)
    origins = seed_luck(f"bench {number}".encode())
    fact = opening.open_match(title, seats=seats, options=chosen, table=table, by=SERVICE, seed=origins.seed)
    begun = BEGINNING + timedelta(seconds=300 * number)
    play = Play(*open_line(title, fact, origins.match_id, begun, origins.step), origins)
    for seat, actor in enumerate(actors):
        play.do(partial(opening.take_seat, seat=seat, by=actor))
    for seat, actor in enumerate(actors):
        if not is_bot(actor):
            play.do(partial(opening.ready, seat=seat, by=actor))
    return play_on(play, choosing(actors, kind.choose)).entries


def choosing(actors: list[Actor], choose: Choose) -> dict[Actor, Choose]:
    """Everybody chooses as the bot does."""
    return dict.fromkeys(actors, choose)
