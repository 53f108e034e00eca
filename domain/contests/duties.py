"""Steps that the service takes for a contest at their times."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final, NamedTuple

AT_ONCE: Final = datetime.min.replace(tzinfo=UTC)


class DueStep(NamedTuple):
    """A step with the earliest time at which the service takes it; None: at once."""

    name: str
    at: datetime | None = None

    @property
    def due(self) -> datetime:
        """The earliest time, or the earliest date there is."""
        return self.at or AT_ONCE


def first_due(steps: Iterable[DueStep]) -> DueStep | None:
    """Return the step that is due first, the first of equal ones; None without steps."""
    return min(steps, key=lambda step: step.due, default=None)
