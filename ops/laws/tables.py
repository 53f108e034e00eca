"""The tables at which the laws are held: for every title, all numbers of seats with each choice of options."""

from domain.kernel.parts import find_part
from domain.titles import TITLES
from ops.laws.walk import Chosen


def options_of(title: str) -> tuple[Chosen, ...]:
    """The choices of options the laws are held with: those of `ops/titles/TITLE/laws.py`, or the usual ones alone."""
    choices: tuple[Chosen, ...] = find_part(f"ops.titles.{title}.laws", "OPTIONS") or ({},)
    return choices


def tables(title: str) -> tuple[tuple[int, Chosen], ...]:
    """Seats and options of every table, to be played by turns."""
    rules = TITLES[title].rules
    found = list[tuple[int, Chosen]]()
    for chosen in options_of(title):
        options = rules.options(chosen)
        found += [(seats, chosen) for seats in range(options.seats_min, options.seats_max + 1)]
    return tuple(found)
