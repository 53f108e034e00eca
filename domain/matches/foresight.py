"""What a seat can know of an action before it is taken."""

from __future__ import annotations

from typing import Any

from domain.kernel.chance import SeededChance
from domain.kernel.gate import checked_decide
from domain.kernel.rules import Seat
from domain.matches.aggregate import Match


def draws_at_once(match: Match, seat: int, action: Any) -> bool:
    """Whether chance is drawn before anybody is asked again: then the action cannot be taken back (DESIGN §3).

    It is tried in a position that agrees with what the seat sees, so that the answer tells nothing hidden.
    `IllegalAction` where it may not be taken.
    """
    rules = match.definition.rules
    seen = rules.view(match.state, Seat(seat))
    chance = SeededChance(b"tried")
    checked_decide(rules, rules.imagine(seen, SeededChance(b"imagined")), Seat(seat), action, chance)
    return bool(chance.draws)
