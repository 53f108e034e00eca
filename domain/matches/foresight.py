"""What a seat can know of an action before it is taken."""

from __future__ import annotations

from typing import Any, Literal

from domain.kernel.chance import SeededChance
from domain.kernel.gate import checked_decide
from domain.kernel.rules import Seat
from domain.matches.aggregate import Match
from domain.matches.apply import evolve_all, hidden_in, is_draft

WhyFinal = Literal["chance", "secret"]
"""Why an action cannot be taken back: chance decides, or it is a choice in secret that is made once."""


def final_by(match: Match, seat: int, action: Any) -> WhyFinal | None:
    """Why the action could not be taken back once it is taken (DESIGN §3); None where it could be.

    It is tried in a position that agrees with what the seat sees, so that the answer tells nothing hidden.
    `IllegalAction` where it may not be taken.
    """
    title = match.definition
    rules, chance = title.rules, SeededChance(b"tried")
    imagined = rules.imagine(rules.view(match.state, Seat(seat)), SeededChance(b"imagined"))
    effects = checked_decide(rules, imagined, Seat(seat), action, chance)
    if chance.draws:
        return "chance"
    is_secret = type(action) in title.codec.secret_actions or any(map(hidden_in, effects))
    if is_secret and not is_draft(title, evolve_all(title, imagined, effects), seat, effects):
        return "secret"
    return None
