"""What a bot is: a name, a version, and a choice among legal actions that sees nothing but a view."""

from collections.abc import Callable
from typing import Any, Final, Protocol

import msgspec

from domain.kernel.title import AnyRules

BUDGET: Final = 300
"""How many actions a bot may try out for one choice; each legal one may be tried once in any case."""

IsLate = Callable[[], bool]
"""Whether the time for a choice is over; asked now and then by bots that think long."""


def never() -> bool:
    """Nobody waits: a choice may take as long as its budget does."""
    return False


class Choose(Protocol):
    """A bot's choice: same view, legal actions, seed and budget, same action, unless it was late."""

    def __call__(
        self,
        rules: AnyRules,
        view: object,
        legal: tuple[Any, ...],
        seed: bytes,
        budget: int = ...,
        is_late: IsLate = ...,
    ) -> Any:
        """One of the legal actions of the viewing seat. Without a budget the bot takes its own."""
        ...


class BotKind(msgspec.Struct, frozen=True):
    """A kind of bot; `version` goes up whenever its choices change, because the log names it."""

    name: str
    version: int
    choose: Choose
    titles: frozenset[str] | None = None
    """The titles it has an evaluation of, where it needs one."""
    milliseconds: int = 0
    """How long a choice may take where somebody waits for it; 0 for a bot that takes no time to speak of."""

    def can_play(self, title: str) -> bool:
        return self.titles is None or title in self.titles

    @property
    def actor(self) -> str:
        """How the log names it: `bot:NAME@VERSION`."""
        return f"bot:{self.name}@{self.version}"
