"""A million results rated in memory, a hundred thousand through the read model, and what voiding one costs there."""

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
from projections.follow import enrol
from projections.platform.store import ReadStore
from projections.ratings import ladders

RESULTS: Final = 1_000_000
STORED: Final = 100_000
PLAYERS: Final = 2_000
BUDGET_SECONDS: Final = 60
STORED_BUDGET_SECONDS: Final = 15
BARE: Final = 2_000


def results(count: int) -> list[RatedResult]:
    """Results of players of different strength at tables of two to five, one every few minutes, by the rules of fair
    play: the same people meet again and again."""
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
    """The package alone: matches of four newcomers."""
    package = PlackettLuce()
    teams = [[package.rating()] for _ in range(4)]
    return seconds(lambda: [package.rate(teams, ranks=[1, 2, 3, 4]) for _ in range(count)])


def stored_seconds(known: Sequence[RatedResult]) -> tuple[float, float]:
    """The same from scratch through the read model: noted, then rated slice by slice, each in its transaction; and
    after one in the middle is voided, until everything after it is rated again."""
    with TemporaryDirectory(prefix="esporles-bench-") as folder, closing(ReadStore(Path(folder) / "reads.db")) as store:
        enrol(store, ladders)
        with store.transaction() as transaction:
            for result in known:
                ladders.note(transaction, str(result.match_id), result)
        taken = settled_seconds(store)
        middle = known[len(known) // 2]
        with store.transaction() as transaction:
            ladders.note(transaction, str(middle.match_id), None)
        return taken, settled_seconds(store)


def settled_seconds(store: ReadStore) -> float:
    return seconds(lambda: all(iter(lambda: go_on(store), False)))


def go_on(store: ReadStore) -> bool:
    with store.following(rewrites=True) as transaction:
        return ladders.go_on(transaction)


def section() -> Section:
    known = results(RESULTS)
    bare = bare_seconds(BARE) / BARE * RESULTS
    taken = seconds(lambda: ladders_of(model_of(BASE), known))
    # What is not asked about is no burden to the collector of garbage.
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
                f"{taken / bare:.2f} of the bare package",
            ),
            Figure(
                f"{STORED:,} through the stored read model",
                f"{stored:.1f} s",
                f"< {STORED_BUDGET_SECONDS} s",
                stored < STORED_BUDGET_SECONDS,
                f"{stored / taken * RESULTS / STORED:.2f} of the same in memory",
            ),
            Figure("… one in its middle voided, and what followed rated again", f"{again:.1f} s"),
        ),
    )
