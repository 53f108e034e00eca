"""What a result must say of its title beside the scores: what this version of the rules leaves out."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain import la_granja
from domain.la_granja.cards import CARDS


def la_granja_summary(state: Any) -> tuple[str, ...]:
    """The helpers that lay at a farm without an effect (those of this version that have none yet)."""
    idle = sorted({
        helper.card
        for farm in state.farms
        for helper in farm.helpers
        if not la_granja.helper_has_effect(helper.card)
    })  # fmt: skip
    if not idle:
        return ()
    names = ", ".join(f"{CARDS[card].helper.name} ({card})" for card in idle)
    return (f"helpers at the farms that have no effect in this version: {names}",)


SUMMARIES: Final[Mapping[str, Callable[[Any], tuple[str, ...]]]] = {la_granja.TITLE: la_granja_summary}


def summary(title: str, state: Any) -> tuple[str, ...]:
    """The sentences for a title; none where nothing is left out."""
    return SUMMARIES[title](state) if title in SUMMARIES else ()
