"""The tables at which laws are checked: every title, every number of seats, with each choice of options."""

from domain.kernel.loading import find_part
from domain.kernel.title import AnyTitle
from ops.dev.laws.walk import Chosen


def options_of(title: str) -> tuple[Chosen, ...]:
    """Return the options to check the laws with, from `ops/dev/titles/TITLE/laws.py`, or the defaults."""
    choices: tuple[Chosen, ...] = find_part(f"ops.dev.titles.{title}.laws", "OPTIONS") or ({},)
    return choices


def tables(title: AnyTitle) -> tuple[tuple[int, Chosen], ...]:
    """Return (seats, options) of every table: each choice of options with every number of seats."""
    rules = title.rules
    all_tables = list[tuple[int, Chosen]]()
    for chosen in options_of(title.name):
        options = rules.options(chosen)
        all_tables += [(seats, chosen) for seats in range(options.seats_min, options.seats_max + 1)]
    return tuple(all_tables)
