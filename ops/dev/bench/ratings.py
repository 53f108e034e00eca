"""Rate a million results in memory and 100,000 through the read model, and void one of the latter."""

from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final
from uuid import UUID

from openskill.models import PlackettLuce

from domain.ratings.ladder import RatedResult
from domain.ratings.models import BASE, model_of
from domain.ratings.recount import ladders_of
from ops.dev.bench.figures import Figure, Section, seconds
from projections.follow import ensure_tables
from projections.platform.store import ReadStore
from projections.ratings import ladders

RESULTS: Final = 1_000_000
STORED: Final = 100_000
PLAYERS: Final = 2_000
BUDGET_SECONDS: Final = 60
STORED_BUDGET_SECONDS: Final = 15
BARE: Final = 2_000


def results(count: int) -> list[RatedResult]:
    """Return fair results at tables of two to five players of different strength, one every seven minutes.

    The same 2,000 players meet repeatedly.
    """
    random = Random(1)
    strength = [random.gauss(0, 1) for _ in range(PLAYERS)]
    found, begin = [], datetime(2020, 1, 1, tzinfo=UTC)
    for number in range(count):
        seated = random.sample(range(PLAYERS), random.randint(2, 5))
        order = sorted(seated, key=lambda player: -(strength[player] + random.gauss(0, 1)))
        players = tuple(f"p{player}" for player in seated)
        places = tuple(order.index(player) + 1 for player in seated)
        ended_at = begin + timedelta(minutes=7 * number)
        found.append(RatedResult(UUID(int=random.getrandbits(128)), "toy", ended_at, players, places, fair=True))
    return found


def bare_seconds(count: int) -> float:
    """Return the seconds of the rating package alone for `count` matches of four new players."""
    package = PlackettLuce()
    teams = [[package.rating()] for _ in range(4)]
    return seconds(lambda: [package.rate(teams, ranks=[1, 2, 3, 4]) for _ in range(count)])


def stored_seconds(known: Sequence[RatedResult]) -> tuple[float, float]:
    """Return the seconds to store and rate all results, and to rate again after one in the middle is voided.

    Results are rated in batches, each in a separate transaction.
    """
    with TemporaryDirectory(prefix="esporles-bench-") as folder, closing(ReadStore(Path(folder) / "reads.db")) as store:
        ensure_tables(store, ladders)
        with store.transaction() as transaction:
            for result in known:
                ladders.note(transaction, str(result.match_id), result)
        taken = settled_seconds(store)
        middle = known[len(known) // 2]
        with store.transaction() as transaction:
            ladders.note(transaction, str(middle.match_id), None)
        return taken, settled_seconds(store)


def settled_seconds(store: ReadStore) -> float:
    """Return the seconds until no result is left to rate."""
    return seconds(lambda: all(iter(lambda: rate_batch(store), False)))


def rate_batch(store: ReadStore) -> bool:
    """Rate the next batch; return whether more are left."""
    with store.consumer_transaction(rewrites=True) as transaction:
        return ladders.do_deferred_work(transaction)


def section() -> Section:
    """Measure ratings in memory and through the read model."""
    known = results(RESULTS)
    bare = bare_seconds(BARE) / BARE * RESULTS
    taken = seconds(lambda: ladders_of(model_of(BASE), known))
    # Free the unused results, so that they do not slow down the garbage collector.
    del known[STORED:]
    stored, again = stored_seconds(known)
    return Section(
        "ratings",
        (
            Figure(
                f"{RESULTS:,} results of {PLAYERS:,} players rated from scratch",
                f"{taken:.1f} s",
                f"< {BUDGET_SECONDS} s",
                taken < BUDGET_SECONDS,
                f"{taken / bare:.2f}× the bare package",
            ),
            Figure(
                f"{STORED:,} through the stored read model",
                f"{stored:.1f} s",
                f"< {STORED_BUDGET_SECONDS} s",
                stored < STORED_BUDGET_SECONDS,
                f"{stored / taken * RESULTS / STORED:.2f}× the same in memory",
            ),
            Figure("… one in the middle voided, later ones rated again", f"{again:.1f} s"),
        ),
    )
