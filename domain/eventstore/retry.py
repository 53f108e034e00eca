"""A command once more, whenever another writer came first."""

from collections.abc import Callable
from typing import Final, TypeVar

from eventsourcing.persistence import IntegrityError, InterfaceError, OperationalError

R = TypeVar("R")

LostRace = IntegrityError
"""What the store says to a writer before whom another one came."""
NoStore = (OperationalError, InterfaceError)
"""What it says, or nothing does for it, where there is no disk left or no database: nobody knows what was stored."""


class Unanswered(OperationalError):
    """A server of databases is there and gives no answer, or none in the time that one waits for it."""

    is_counted = False
    """Whether those who ask the same server know of it."""


class OutcomeUnknown(OperationalError):
    """The store was told to keep something and did not say whether it did: whoever sent it looks, or sends it again."""


CONFLICTS_MAX: Final = 50
"""More lost races in a row than this are a bug, not bad luck."""


def retry(attempt: Callable[[], R]) -> R:
    """A command once more whenever another writer came first: the store's unique (match, version) says so."""
    conflicts = 0
    while True:
        try:
            return attempt()
        except IntegrityError:
            conflicts += 1
            assert conflicts < CONFLICTS_MAX, f"lost {CONFLICTS_MAX} races in a row"
