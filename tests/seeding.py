"""The seed of the tests: whatever plays takes its luck from it, so that a run can be repeated.

`ESPORLES_TEST_SEED` gives another one, and `ESPORLES_TEST_SEED=random` draws one; every run prints it. What is drawn
depends on the seed and on the test, not on the tests that ran before or beside it.
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
"""A plain run tries the same on every machine, so that a change that breaks nothing never turns a run red; other seeds
are explored by `ops/test --all` and `ops/repeat`."""
RANDOM: Final = "random"

EXPLORING: Final = "ESPORLES_TEST_ALL"
"""Set by `ops/test --all`: examples and matches are many, not a sample."""

PURE: Final = "seed/"
"""The server seed of a match of one service follows from the id of the match alone, whoever opens it and when."""

WHOSE: Final[ContextVar[str]] = ContextVar("whose", default="")
"""The test a request comes from, where the service runs in a process of its own."""
HEADER: Final = "Esporles-Test"


def chosen_seed(environment: Mapping[str, str] = os.environ) -> str:
    """The seed of this run; one that is to be drawn is drawn here."""
    seed = environment.get(VARIABLE) or DEFAULT
    return secrets.token_hex(4) if seed == RANDOM else seed


SEED: Final = chosen_seed()
os.environ[VARIABLE] = SEED
"""Processes that tests start, those of pytest-xdist too, have the same."""

IS_EXPLORING: Final = bool(os.environ.get(EXPLORING))
TIMES_AS_MANY: Final = 10


def sampled(count: int, times: int = TIMES_AS_MANY) -> int:
    """So many examples or matches in a plain run, so many times as many where there is time to explore."""
    return count * times if IS_EXPLORING else count


def derive(place: str, length: int) -> bytes:
    """The bytes of the seed for one place."""
    return hashlib.shake_256(f"{SEED}/{place}".encode()).digest(length)


def derive_number(place: str) -> int:
    """A number of the seed for one place, of 32 bits: for generators that take one."""
    return int.from_bytes(derive(place, 4))


def one_in(count: int, things: Iterable[T], place: str) -> list[T]:
    """One of every so many in a plain run, all where there is time to explore; the seed and the place decide which.
    They lie at equal distances: of things that are sorted, no kind is left out."""
    every = list(things)
    return every if IS_EXPLORING else every[derive_number(place) % min(count, len(every)) :: count]


WALKS: Final = 3
"""The suite takes one walk (`pytest.mark.walk`) in this number, unless it explores."""


def walks_left_out(walks: Iterable[str], arguments: Iterable[str]) -> set[str]:
    """Return the walks that this run leaves out; it leaves out none if its arguments name a file."""
    if any(argument.partition("::")[0].endswith(".py") for argument in arguments):
        return set()
    every = sorted(walks)
    return set(every).difference(one_in(WALKS, every, "walks") if every else ())


def current_test() -> str:
    """The test that runs now; in a fixture its file, for a fixture may serve several tests."""
    place, _, phase = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")
    return place if phase == "call)" else place.partition("::")[0]


class SeededEntropy:
    """Takes the place of the system's randomness: the same bytes for the same seed, test, purpose and turn."""

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
    """A name for something that the current test makes or does: the same on every run, and given once."""
    place = f"{current_test()}/{kind}"
    NAMED[place] += 1
    return f"{place}/{NAMED[place]}"


def entropy() -> SeededEntropy:
    """The entropy of what a test makes in its own process."""
    return SeededEntropy(next_name("entropy"))


def new_id() -> UUID:
    """An id nobody has."""
    return UUID(bytes=derive(next_name("id"), 16), version=4)


if __name__ == "__main__":
    sys.stdout.write(f"{SEED}\n")
