"""Actions that show a reader hidden information; they cannot be taken back (DESIGN §3).

In a log of format 3 each entry states this (`ActionTaken.reveals`), so that a verifier without the rules of the title
can check take-backs against it.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec

from domain.kernel.hidden import Hidden
from domain.kernel.settle import position_after
from domain.kernel.title import AnyTitle
from domain.matches.aggregate import Match
from domain.matches.facts import ActionTaken


def is_draft(title: AnyTitle, state: object, seat: int, effects: Sequence[msgspec.Struct]) -> bool:
    """Return whether every effect is hidden from all but the seat, and only the seat owes an action in `state`."""
    if title.rules.seats_to_act(state) != (seat,):
        return False
    return is_hidden_from_others(effects, seat)


def is_hidden_from_others(effects: Sequence[msgspec.Struct], seat: int) -> bool:
    """Return whether each effect has hidden values and all of them are for this seat alone."""
    return all({value.audience for value in list_hidden_values(effect)} == {(seat,)} for effect in effects)


def list_hidden_values(effect: msgspec.Struct) -> list[Hidden[Any]]:
    """Return the hidden values of an effect."""
    return [value for value in msgspec.structs.astuple(effect) if isinstance(value, Hidden)]


@cache
def may_hide(effect: type[msgspec.Struct]) -> bool:
    """Return whether effects of a type have a field that may hold a hidden value."""
    return any("Hidden[" in str(field.type) for field in msgspec.structs.fields(effect))


def discloses(title: AnyTitle, state: object, effects: Sequence[msgspec.Struct]) -> bool:
    """Return whether an effect openly states information that was hidden in the position before the action.

    Hidden values do not show this, so the title declares it (`Title.discloses`).
    """
    disclosers, always_revealing = title.discloses, title.codec.reveals
    types = map(type, effects)
    return any(
        kind in always_revealing or (kind in disclosers and disclosers[kind](state, effect))
        for kind, effect in zip(types, effects, strict=True)
    )


def hides(fact: ActionTaken[Any, Any]) -> bool:
    """Return whether the action or one of its effects has hidden values."""
    if fact.hidden_action is not None or fact.hidden_act is not None:
        return True
    effects: Sequence[msgspec.Struct] = fact.effects
    return any(may_hide(type(effect)) and list_hidden_values(effect) for effect in effects)


def reveals(match: Match, fact: ActionTaken[Any, Any]) -> bool:
    """Return whether an action taken in this position shows a reader something new. A draft does not."""
    title, state = match.definition, match.state
    if discloses(title, state, fact.effects):
        return True
    if not hides(fact):
        return False
    return not is_draft(title, position_after(fact.effects, state, title.rules.evolve), fact.seat, fact.effects)


def reveals_openly(match: Match, fact: ActionTaken[Any, Any]) -> bool:
    """Return `reveals` as a reader of a redacted log can compute it: drafts are judged without the seats to act."""
    if discloses(match.definition, match.state, fact.effects):
        return True
    return hides(fact) and not is_hidden_from_others(fact.effects, fact.seat)
