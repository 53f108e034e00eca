"""What a bot is: a name, a version, and a choice among legal actions that sees nothing but a view."""

from typing import Any, Final, Protocol

import msgspec

from domain.kernel.title import AnyRules

BUDGET: Final = 300
"""How many actions a bot may try out for one choice; each legal one may be tried once in any case."""


class Choose(Protocol):
    """A bot's choice: same view, legal actions, seed and budget, same action."""

    def __call__(self, rules: AnyRules, view: Any, legal: tuple[Any, ...], seed: bytes, budget: int = BUDGET) -> Any:
        """One of the legal actions of the viewing seat."""
        ...


class BotKind(msgspec.Struct, frozen=True):
    """A kind of bot; `version` goes up whenever its choices change, because the log names it."""

    name: str
    version: int
    choose: Choose
    titles: frozenset[str] | None = None
    """The titles it has an evaluation of, where it needs one."""

    def can_play(self, title: str) -> bool:
        return self.titles is None or title in self.titles

    @property
    def actor(self) -> str:
        """How the log names it: `bot:NAME@VERSION`."""
        return f"bot:{self.name}@{self.version}"
