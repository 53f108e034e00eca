"""Sources of victory points on the score sheet (LG-7, LG-8)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from domain.kernel.messages import N_
from domain.kernel.title import Gain, Sources
from domain.titles.la_granja.effects import Effect, GoodGained, GoodPaid, SilverExchanged

HEADINGS: Final[Mapping[str, str]] = {
    "setup": N_("At the start"),
    "barrows": N_("Market barrows"),
    "buildings": N_("Craft buildings"),
    "market": N_("Market"),
    "siesta": N_("Siesta track"),
    "roofs": N_("Roof tiles"),
    "helpers": N_("Helpers"),
    "extensions": N_("Farm extensions"),
    "sale": N_("Final sale"),
    "other": N_("Other"),
}

SOURCE_OF: Final[Mapping[str, str]] = {
    "setup": "setup",
    "barrow": "barrows",
    **dict.fromkeys(("building", "first", "order_tile", "craft", "village_store", "butcher"), "buildings"),
    **dict.fromkeys(("market", "stalls"), "market"),
    "siesta": "siesta",
    **dict.fromkeys(("roof", "roof_space"), "roofs"),
    "helper": "helpers",
    "extension": "extensions",
}
"""Source by the cause of a gain or payment; causes of older logs may be missing here."""


def gains(effects: Iterable[tuple[int, Effect]]) -> Iterator[Gain]:
    """Yield a `Gain` for every VP gained or, as a negative amount, paid; `effects` are (version, effect) pairs."""
    for version, effect in effects:
        match effect:
            case GoodGained(seat=seat, good="vp", amount=amount, cause=cause):
                yield Gain(version, seat, SOURCE_OF.get(cause, "other"), amount)
            case GoodPaid(seat=seat, good="vp", amount=amount, cause=cause):
                yield Gain(version, seat, SOURCE_OF.get(cause, "other"), -amount)
            case SilverExchanged(seat=seat, vp=vp):
                yield Gain(version, seat, "sale", vp)
            case _:
                pass


SOURCES: Final = Sources(HEADINGS, gains)
