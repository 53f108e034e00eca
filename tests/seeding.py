"""The seed of all randomness in tests, so that a run can be repeated.

`ESPORLES_TEST_SEED` sets it, and `ESPORLES_TEST_SEED=random` draws one; every run prints it. Random values depend on
the seed and the test, not on other tests.
"""

import hashlib
import os
import secrets
import sys
import threading
from collections import Counter
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from typing import Final, TypeVar
from uuid import UUID

T = TypeVar("T")

VARIABLE: Final = "ESPORLES_TEST_SEED"
DEFAULT: Final = "test"
"""A plain run is the same on every machine, so that a harmless change never breaks it.

`ops/test --all` and `ops/repeat` explore other seeds.
"""
RANDOM: Final = "random"

EXPLORING: Final = "ESPORLES_TEST_ALL"
"""Set by `ops/test --all`, which runs all examples and matches instead of a sample."""

PURE: Final = "seed/"
"""Prefix of purposes whose result depends only on the purpose: server seeds of matches, by match id."""

WHOSE: Final[ContextVar[str]] = ContextVar("whose", default="")
"""The test that sent the request, if the service runs in another process."""
HEADER: Final = "Esporles-Test"


def chosen_seed(environment: Mapping[str, str] = os.environ) -> str:
    """Return the seed of this run, drawn if requested."""
    seed = environment.get(VARIABLE) or DEFAULT
    return secrets.token_hex(4) if seed == RANDOM else seed


SEED: Final = chosen_seed()
os.environ[VARIABLE] = SEED
"""Subprocesses, including pytest-xdist's, use the same seed."""

IS_EXPLORING: Final = bool(os.environ.get(EXPLORING))
TIMES_AS_MANY: Final = 10


def example_count(count: int, times: int = TIMES_AS_MANY) -> int:
    """Return the number of examples or matches: `count`, or `times` as many when exploring."""
    return count * times if IS_EXPLORING else count


def derive(place: str, length: int) -> bytes:
    """Return bytes derived from the seed for a place."""
    return hashlib.shake_256(f"{SEED}/{place}".encode()).digest(length)


def derive_number(place: str) -> int:
    """Return a 32-bit number derived from the seed for a place."""
    return int.from_bytes(derive(place, 4))


def one_in(count: int, things: Iterable[T], place: str) -> list[T]:
    """Return every `count`-th item, or all when exploring; seed and place decide the offset.

    Items at equal distances cover all kinds of sorted items.
    """
    every = list(things)
    return every if IS_EXPLORING else every[derive_number(place) % min(count, len(every)) :: count]


WALKS: Final = 6
"""The suite runs one walk (`pytest.mark.walk`) in this number, unless it explores or the mark says `one_in`."""


def walks_left_out(walks: Mapping[str, int], arguments: Iterable[str]) -> set[str]:
    """Return the walks that this run skips; none if its arguments name a file.

    `walks` maps each walk to the number of walks of which one is run.
    """
    if any(argument.partition("::")[0].endswith(".py") for argument in arguments):
        return set()
    chosen = set[str]()
    for count in {*walks.values()}:
        chosen.update(one_in(count, sorted(walk for walk in walks if walks[walk] == count), "walks"))
    return walks.keys() - chosen


def current_test() -> str:
    """Return the running test; in a fixture only its file, because a fixture may serve several tests."""
    place, _, phase = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")
    return place if phase == "call)" else place.partition("::")[0]


class SeededEntropy:
    """Seeded replacement of system randomness: the same bytes for the same seed, test, purpose and count."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._turns: Counter[str] = Counter()
        self._lock = threading.Lock()

    def __call__(self, length: int, purpose: str) -> bytes:
        if purpose.startswith(PURE):
            return derive(f"{self._name}/{purpose}", length)
        place = f"{self._name}/{WHOSE.get() or current_test()}/{purpose}"
        with self._lock:
            self._turns[place] += 1
            turn = self._turns[place]
        return derive(f"{place}/{turn}", length)


NAMED: Final = Counter[str]()


def next_name(kind: str) -> str:
    """Return a unique name within the current test, the same on every run."""
    place = f"{current_test()}/{kind}"
    NAMED[place] += 1
    return f"{place}/{NAMED[place]}"


def entropy() -> SeededEntropy:
    """Return entropy for objects that a test creates in its process."""
    return SeededEntropy(next_name("entropy"))


def new_id() -> UUID:
    """Return a new id."""
    return UUID(bytes=derive(next_name("id"), 16), version=4)


if __name__ == "__main__":
    sys.stdout.write(f"{SEED}\n")
