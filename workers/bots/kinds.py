"""What a bot is: a name, a version, and a choice among legal actions that sees nothing but a view."""

from typing import Any, Final, Protocol

import msgspec

from domain.kernel.rules import Rules

AnyRules = Rules[Any, Any, Any, Any]

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

    @property
    def actor(self) -> str:
        """How the log names it: `bot:NAME@VERSION`."""
        return f"bot:{self.name}@{self.version}"
