"""Predictions for a seat: whether an action will be final, and its next choices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple

from domain.kernel.chance import SeededChance
from domain.kernel.gate import checked_decide
from domain.kernel.rules import Seat
from domain.kernel.title import AnyRules
from domain.matches.aggregate import Match
from domain.matches.apply import evolve_all
from domain.matches.redaction.disclosure import is_draft, list_hidden_values

WhyFinal = Literal["chance", "secret"]
"""Why an action cannot be taken back: it draws from chance, or it is a secret choice that is made only once."""


def why_final(match: Match, seat: int, action: object) -> WhyFinal | None:
    """Return why the action could not be taken back (DESIGN §3), "chance" or "secret", or None if it could.

    Players expect that a card cannot return to the hand after others have seen it, so that this gives no reason. The
    action is tried in a position consistent with the seat's view, so that the answer reveals no secret. Raise
    `IllegalAction` if the seat may not take it.
    """
    title = match.definition
    rules, chance = title.rules, SeededChance(b"tried")
    imagined = rules.imagine(rules.view(match.state, Seat(seat)), SeededChance(b"imagined"))
    effects = checked_decide(rules, imagined, Seat(seat), action, chance)
    if chance.draws:
        return "chance"
    is_secret = type(action) in title.codec.secret_actions or any(map(list_hidden_values, effects))
    if is_secret and not is_draft(title, evolve_all(title, imagined, effects), seat, effects):
        return "secret"
    return None


FUTURE_ACTIONS_MAX: Final = 24
"""Maximum number of actions by other seats to look ahead."""


class FutureChoice(NamedTuple):
    """A possible action of a seat's next choice, and the view at that choice."""

    action: Any
    seen: Any


def list_future_actions(match: Match, seat: int) -> tuple[FutureChoice, ...]:
    """Return the actions that the seat can choose in advance.

    Nothing while it owes a decision, if its next choice is uncertain, or unless the match is running.
    """
    if match.status != "running" or match.is_retired:
        return ()
    return find_future_choice(match.definition.rules, match.state, Seat(seat))


def find_future_choice(
    rules: AnyRules, state: object, seat: Seat, actions_max: int = FUTURE_ACTIONS_MAX
) -> tuple[FutureChoice, ...]:
    """Return the actions of the seat's next choice if it is certain which choice that is, otherwise nothing.

    The other seats are simulated for at most `actions_max` actions, in several ways, in positions consistent with the
    seat's view. The choice is certain if all simulations lead to the same step, and chance does not change it. Actions
    that are legal in only some simulations are included; a client reports when a preselected action is no longer legal.
    """
    if seat in rules.seats_to_act(state):
        return ()
    seat_view = rules.view(state, seat)
    positions = [
        _simulate_next_choice(
            rules, rules.imagine(seat_view, SeededChance(luck)), seat, choose, SeededChance(luck), actions_max
        )
        for choose, luck in WAYS
    ]
    if len({each and rules.phase(each) for each in positions}) != 1 or positions[0] is None:
        return ()
    action_lists = [rules.legal_actions(each, seat) for each in positions]
    if action_lists[0] != action_lists[1]:
        return ()
    choices: dict[Any, FutureChoice] = {}
    for each, actions in zip(positions, action_lists, strict=True):
        for action in actions:
            choices.setdefault(action, FutureChoice(action, rules.view(each, seat)))
    return tuple(choices.values())


WAYS: Final[tuple[tuple[Callable[[int], int], bytes], ...]] = (
    (lambda _: 0, b"one"),
    (lambda _: 0, b"another"),
    (lambda count: count - 1, b"one"),
    (lambda count: count // 2, b"one"),
)
"""Simulations: how others choose among their n legal actions, and the luck seed. The first two differ only in luck."""


def _simulate_next_choice(
    rules: AnyRules, state: object, seat: Seat, choose: Callable[[int], int], chance: SeededChance, actions_max: int
) -> Any:
    """Return the position in which the seat acts next, or None if `actions_max` actions of others do not lead there.

    `choose` maps the number of legal actions of another seat to the index of the one it takes.
    """
    for _ in range(actions_max):
        acting = rules.seats_to_act(state)
        if not acting or seat in acting:
            return state if acting else None
        legal = rules.legal_actions(state, acting[0])
        for effect in rules.decide(state, acting[0], legal[choose(len(legal))], chance):
            state = rules.evolve(state, effect)
    return None
