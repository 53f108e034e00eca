"""Navigation of variations, and actions to extend them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from api.http.languages import say
from api.titles.drawing import Drawing
from domain.studies.facts import StudyPlace
from domain.studies.state import Study, Variation


class VariationTargets(msgspec.Struct, frozen=True):
    """Targets of the up and down arrow keys between variations."""

    up: StudyPlace | None = None
    down: StudyPlace | None = None


class ActionChoice(msgspec.Struct, frozen=True):
    """A legal action as a button."""

    seat: int
    action: str
    text: str
    target: str


def targets_from(study: Study, place: StudyPlace) -> VariationTargets:
    """Return the neighbours of a place.

    Down: the first variation that starts here, else the next sibling. Up: the previous sibling, else the parent place.
    Outside variations only down is set.
    """
    current = study.variation(place.variation)
    variations_here = [each for each in study.variations if each.at == place]
    if current is None:
        return VariationTargets(down=first_step(variations_here))
    siblings = study.siblings_of(current)
    index = siblings.index(current)
    return VariationTargets(
        first_step(siblings[:index][-1:]) or current.at,
        first_step(variations_here) or first_step(siblings[index + 1 :]),
    )


def first_step(variations: Sequence[Variation]) -> StudyPlace | None:
    """Return the first step of the first variation, or None."""
    return StudyPlace(variations[0].at.entry, variations[0].number, 1) if variations else None


def may_be_promoted(study: Study, variation: Variation) -> bool:
    """Return whether a variation can be promoted: it is not the first sibling, or leaves its parent before its end.

    Who asks is not checked.
    """
    parent = study.variation(variation.at.variation)
    return study.siblings_of(variation)[0] != variation or (
        parent is not None and variation.at.step < len(parent.steps)
    )


def choices_at(rules: Any, state: Any, seat: int | None, drawing: Drawing) -> tuple[ActionChoice, ...]:
    """Return the legal actions of the seats to act, or of the chosen seat only."""
    acting = [each for each in rules.seats_to_act(state) if each >= 0 and seat in (None, each)]
    return tuple(
        ActionChoice(
            int(each),
            msgspec.json.encode(action).decode(),
            say(rules.describe(rules.view(state, each), action)),
            drawing.target(action),
        )
        for each in acting
        for action in rules.legal_actions(state, each)
    )
