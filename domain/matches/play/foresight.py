"""What a seat can know of an action before it is taken, and of its next choice before it is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple

from domain.kernel.chance import SeededChance
from domain.kernel.gate import checked_decide
from domain.kernel.rules import Seat
from domain.kernel.title import AnyRules
from domain.matches.aggregate import Match
from domain.matches.apply import evolve_all
from domain.matches.redaction.disclosure import hidden_in, is_draft

WhyFinal = Literal["chance", "secret"]
"""Why an action cannot be taken back: chance decides, or it is a choice in secret that is made once."""


def final_by(match: Match, seat: int, action: object) -> WhyFinal | None:
    """Return why the action could not be taken back (DESIGN §3), or None if it could.

    Players expect that a card cannot return to the hand after others have seen it, so that this gives no reason.

    The action is tried in a position consistent with the seat's view, so that the answer reveals no secret. Raises
    `IllegalAction` if the seat may not take it.
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


AHEAD_MAX: Final = 24
"""After so many actions of others nobody knows any more what comes."""


class Ahead(NamedTuple):
    """An action that a seat may be able to take when it is asked next, and what it would see then."""

    action: Any
    seen: Any


def offered_ahead(match: Match, seat: int) -> tuple[Ahead, ...]:
    """What the seat can choose ahead: nothing while it is asked, or where what it is asked next is not certain."""
    if match.status != "running" or match.is_retired:
        return ()
    return ahead_of(match.definition.rules, match.state, Seat(seat))


def ahead_of(rules: AnyRules, state: object, seat: Seat, most: int = AHEAD_MAX) -> tuple[Ahead, ...]:
    """The actions of the seat's next choice, if it is certain which choice that is.

    The others act in several ways in positions that agree with what the seat sees: it is certain if the seat is asked
    in the same step in all of them, and if chance changes nothing about it. An action that only some of these ways
    leave is offered as well; whoever has chosen it ahead is told when it is gone.
    """
    if seat in rules.seats_to_act(state):
        return ()
    seen = rules.view(state, seat)
    asked = [
        _asked_next(rules, rules.imagine(seen, SeededChance(luck)), seat, way, SeededChance(luck), most)
        for way, luck in WAYS
    ]
    if len({each and rules.phase(each) for each in asked}) != 1 or asked[0] is None:
        return ()
    offered = [rules.legal_actions(each, seat) for each in asked]
    if offered[0] != offered[1]:
        return ()
    found: dict[Any, Ahead] = {}
    for each, actions in zip(asked, offered, strict=True):
        for action in actions:
            found.setdefault(action, Ahead(action, rules.view(each, seat)))
    return tuple(found.values())


WAYS: Final[tuple[tuple[Callable[[int], int], bytes], ...]] = (
    (lambda _: 0, b"one"),
    (lambda _: 0, b"another"),
    (lambda count: count - 1, b"one"),
    (lambda count: count // 2, b"one"),
)
"""How the others act, by the number of what they may do, and with which luck; the first two differ in luck alone."""


def _asked_next(
    rules: AnyRules, state: object, seat: Seat, way: Callable[[int], int], chance: SeededChance, most: int
) -> Any:
    """The position in which the seat is asked next if the others act like this; `None` if that does not come."""
    for _ in range(most):
        acting = rules.seats_to_act(state)
        if not acting or seat in acting:
            return state if acting else None
        legal = rules.legal_actions(state, acting[0])
        for effect in rules.decide(state, acting[0], legal[way(len(legal))], chance):
            state = rules.evolve(state, effect)
    return None
