"""The sources of points: the general scorings and the cards that score, area by area (EG-10)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from domain.kernel.messages import N_
from domain.kernel.title import Gain, Sources
from domain.titles.el_grande.effects import AreaScored, Effect, StepBegun
from domain.titles.el_grande.words_terms import place

CARDS: Final = "cards"
HEADINGS: Final[Mapping[str, str]] = {
    "scoring_1": N_("First general scoring"),
    "scoring_2": N_("Second general scoring"),
    "scoring_3": N_("Third general scoring"),
    CARDS: N_("Scoring from action cards"),
}
GENERAL: Final = frozenset({"scoring", "discs", "regions"})
"""The steps of a general scoring."""


def gains(effects: Iterable[tuple[int, Effect]]) -> Iterator[Gain]:
    """Yield a gain for each seat and area that received points; `effects` are (version, effect) pairs.

    The source is `scoring_N` in the N-th general scoring, otherwise a card.
    """
    number, step = 0, ""
    for version, effect in effects:
        if isinstance(effect, StepBegun):
            number += effect.step == "scoring"
            step = effect.step
        elif isinstance(effect, AreaScored):
            source = f"scoring_{number}" if step in GENERAL else CARDS
            scored = ((seat, points) for seat, points in enumerate(effect.points) if points)
            yield from (Gain(version, seat, source, points, effect.area) for seat, points in scored)


SOURCES: Final = Sources(HEADINGS, gains, place)
