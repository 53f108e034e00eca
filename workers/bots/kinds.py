"""The definition of a bot: a name, a version and a function that chooses a legal action from a view."""

from collections.abc import Callable
from typing import Any, Final, Protocol

import msgspec

from domain.kernel.title import AnyRules

BUDGET: Final = 300
"""Actions a bot may try for one choice; each legal action may be tried once in any case."""

IsLate = Callable[[], bool]
"""Return whether the time for a choice is over; slow bots call it now and then."""


def never() -> bool:
    """Return False: the choice has no time limit."""
    return False


class Choose(Protocol):
    """A bot's choice function.

    The same view, legal actions, seed and budget give the same action, unless time ran out.
    """

    def __call__(
        self,
        rules: AnyRules,
        view: object,
        legal: tuple[Any, ...],
        seed: bytes,
        budget: int = ...,
        is_late: IsLate = ...,
    ) -> Any:
        """Return a legal action of the viewing seat; the default budget is the bot's."""
        ...


class BotKind(msgspec.Struct, frozen=True):
    """A kind of bot. `version` is part of the log and rises whenever the bot's choices change."""

    name: str
    version: int
    choose: Choose
    titles: frozenset[str] | None = None
    """Titles it has an evaluation of; None if it needs none."""
    milliseconds: int = 0
    """Time limit of a choice while a player waits; 0 for a fast bot."""

    def can_play(self, title: str) -> bool:
        """Return whether the bot plays this title."""
        return self.titles is None or title in self.titles

    @property
    def actor(self) -> str:
        """Return its name in the log: `bot:NAME@VERSION`."""
        return f"bot:{self.name}@{self.version}"
