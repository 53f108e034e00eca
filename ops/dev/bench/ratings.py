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
BUDGET_SECONDS: Final = 45
STORED_BUDGET_SECONDS: Final = 15
BARE: Final = 2_000


def results(count: int) -> list[RatedResult]:
    """Return fair results at tables of two to five players of different strength, one every seven minutes.

    The same 2,000 players meet repeatedly.
    """
    random = Random(1)
    strength = [random.gauss(0, 1) for _ in range(PLAYERS)]
    rated_results, first_day = [], datetime(2020, 1, 1, tzinfo=UTC)
    for number in range(count):
        seated = random.sample(range(PLAYERS), random.randint(2, 5))
        order = sorted(seated, key=lambda player: -(strength[player] + random.gauss(0, 1)))
        players = tuple(f"p{player}" for player in seated)
        ranks = tuple(order.index(player) + 1 for player in seated)
        ended_at = first_day + timedelta(minutes=7 * number)
        rated_results.append(RatedResult(UUID(int=random.getrandbits(128)), "toy", ended_at, players, ranks, fair=True))
    return rated_results


def bare_seconds(count: int) -> float:
    """Return the seconds of the rating package alone for `count` matches of four new players."""
    package = PlackettLuce()
    teams = [[package.rating()] for _ in range(4)]
    return seconds(lambda: [package.rate(teams, ranks=[1, 2, 3, 4]) for _ in range(count)])


def stored_seconds(rated_results: Sequence[RatedResult]) -> tuple[float, float]:
    """Return the seconds to store and rate all results, and to rate again after one in the middle is voided.

    Results are rated in batches, each in a separate transaction.
    """
    with TemporaryDirectory(prefix="esporles-bench-") as folder, closing(ReadStore(Path(folder) / "reads.db")) as store:
        ensure_tables(store, ladders)
        with store.transaction() as transaction:
            for result in rated_results:
                ladders.note(transaction, str(result.match_id), result)
        elapsed = settled_seconds(store)
        voided = rated_results[len(rated_results) // 2]
        with store.transaction() as transaction:
            ladders.note(transaction, str(voided.match_id), None)
        return elapsed, settled_seconds(store)


def settled_seconds(store: ReadStore) -> float:
    """Return the seconds until no result is left to rate."""
    return seconds(lambda: all(iter(lambda: rate_batch(store), False)))


def rate_batch(store: ReadStore) -> bool:
    """Rate the next batch; return whether more are left."""
    with store.consumer_transaction(rewrites=True) as transaction:
        return ladders.do_deferred_work(transaction)


def section() -> Section:
    """Measure ratings in memory and through the read model."""
    rated_results = results(RESULTS)
    elapsed_bare = bare_seconds(BARE) / BARE * RESULTS
    elapsed = seconds(lambda: ladders_of(model_of(BASE), rated_results))
    # Free the unused results, so that they do not slow down the garbage collector.
    del rated_results[STORED:]
    stored, elapsed_again = stored_seconds(rated_results)
    return Section(
        "ratings",
        (
            Figure(
                f"{RESULTS:,} results of {PLAYERS:,} players rated from scratch",
                f"{elapsed:.1f} s",
                f"< {BUDGET_SECONDS} s",
                elapsed < BUDGET_SECONDS,
                f"{elapsed / elapsed_bare:.2f}× the bare package",
            ),
            Figure(
                f"{STORED:,} through the stored read model",
                f"{stored:.1f} s",
                f"< {STORED_BUDGET_SECONDS} s",
                stored < STORED_BUDGET_SECONDS,
                f"{stored / elapsed * RESULTS / STORED:.2f}× the same in memory",
            ),
            Figure("… one in the middle voided, later ones rated again", f"{elapsed_again:.1f} s"),
        ),
    )
