"""Matches in which a component is taken as soon as possible.

Bots avoid components that they rate low, so that ordinary matches give no data on them.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from domain.kernel.chance import SeededChance
from domain.kernel.rules import SERVICE_SEAT, Seat
from domain.kernel.settle import position_after
from domain.kernel.title import AnyRules
from ops.dev.balance.ledgers import Ledger

DEALS_MAX: Final = 1_000
"""Limit of deals to search for one in which the component can be taken at once."""


class NeverTaken(Exception):
    """No deal within the limit allows the component to be taken at once."""


class Taking(NamedTuple):
    """A component that the first seat able to take it must take."""

    rules: AnyRules
    ledger: Ledger
    component: str
    """Kind and id, as in `helper 32`."""

    def action(self, state: object, seat: Seat, legal: Sequence[Any], key: bytes) -> Any | None:
        """Return the seat's first legal action that takes the component, or None."""
        return next((action for action in legal if self._takes(state, seat, action, key)), None)

    def can_be_taken(self, options: Mapping[str, str], seats: int, key: bytes) -> bool:
        """Return whether any seat could take it at its first choice, if all others take their first legal actions."""
        rules, chance, acted = self.rules, SeededChance(key), set[Seat]()
        state: Any = None
        effects = rules.start(rules.options(options), seats, chance)
        while True:
            state = position_after(effects, state, rules.evolve)
            to_act = rules.seats_to_act(state)
            if len(acted) == seats or not to_act:
                return False
            seat = to_act[0]
            legal = rules.legal_actions(state, seat)
            if seat != SERVICE_SEAT and seat not in acted:
                if self.action(state, seat, legal, key) is not None:
                    return True
                acted.add(seat)
            effects = rules.decide(state, seat, legal[0], chance)

    def _takes(self, state: object, seat: Seat, action: object, key: bytes) -> bool:
        """Return whether an action makes its seat take the component for the first time."""
        for effect in self.rules.decide(state, seat, action, SeededChance(key)):
            uses = self.ledger.uses(state, effect)
            if any(use.seat == seat and not use.is_again and use.component == self.component for use in uses):
                return True
            state = self.rules.evolve(state, effect)
        return False
