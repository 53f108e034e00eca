"""A hundred thousand results rated from scratch, and what voiding one in the middle costs."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final
from uuid import UUID

from openskill.models import PlackettLuce

from domain.ratings.ladder import RatedResult
from domain.ratings.models import BASE, model_of
from domain.ratings.recount import Recount, ladders_of
from ops.bench.figures import Figure, Section, seconds
from projections.follow import enrol
from projections.ratings import ladders
from projections.store import ReadStore

RESULTS: Final = 100_000
PLAYERS: Final = 2_000
BUDGET_SECONDS: Final = 30
BARE: Final = 2_000


def results(count: int) -> list[RatedResult]:
    """Results of players of different strength at tables of two to five, one every few minutes."""
    random = Random(1)
    strength = [random.gauss(0, 1) for _ in range(PLAYERS)]
    found, begin = [], datetime(2020, 1, 1, tzinfo=UTC)
    for number in range(count):
        seated = random.sample(range(PLAYERS), random.randint(2, 5))
        order = sorted(seated, key=lambda player: -(strength[player] + random.gauss(0, 1)))
        players = tuple(f"p{player}" for player in seated)
        places = tuple(order.index(player) + 1 for player in seated)
        ended_at = begin + timedelta(minutes=7 * number)
        found.append(RatedResult(UUID(int=random.getrandbits(128)), "toy", ended_at, players, places))
    return found


def bare_seconds(count: int) -> float:
    """The package alone: matches of four newcomers."""
    package = PlackettLuce()
    teams = [[package.rating()] for _ in range(4)]
    return seconds(lambda: [package.rate(teams, ranks=[1, 2, 3, 4]) for _ in range(count)])


def stored_seconds(known: Sequence[RatedResult]) -> float:
    """The same from scratch through the read model: noted, then rated slice by slice, each in its transaction."""
    with TemporaryDirectory(prefix="esporles-bench-") as folder:
        store = ReadStore(Path(folder) / "reads.db")
        enrol(store, ladders)
        with store.transaction() as transaction:
            for result in known:
                ladders.note(transaction, str(result.match_id), result)
        taken = seconds(lambda: all(iter(lambda: rated_slice(store), False)))
        store.close()
    return taken


def rated_slice(store: ReadStore) -> bool:
    with store.transaction() as transaction:
        return ladders.go_on(transaction)


def section() -> Section:
    known = results(RESULTS)
    model = model_of(BASE)
    bare = bare_seconds(BARE) / BARE * RESULTS
    taken = seconds(lambda: ladders_of(model, known))
    stored = stored_seconds(known)
    fours = [result for result in known if len(result.players) == 4]
    recount = Recount(model)
    for result in fours:
        recount.add(result)
    count = len(recount.rated)
    recount.remove(fours[len(fours) // 2])
    again = seconds(lambda: recount.rated)
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
                "… through the stored read model",
                f"{stored:.1f} s",
                f"< {BUDGET_SECONDS} s",
                stored < BUDGET_SECONDS,
                f"{stored / taken:.2f} of the same in memory",
            ),
            Figure(f"one of {len(fours):,} voided in the middle, {count:,} players", f"{again:.1f} s"),
        ),
    )
