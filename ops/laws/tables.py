"""The tables at which the laws are held: for every title, all numbers of seats with each choice of options."""

from collections.abc import Mapping
from typing import Final

from domain.matches.registry import GAMES
from ops.laws.walk import Chosen

TITLE_OPTIONS: Final[Mapping[str, tuple[Chosen, ...]]] = {
    "el_grande": (
        {},
        {"cards": "2023", "veterans": "all", "new_regency": "yes", "shift_of_power": "yes"},
        {"cards": "2023"},
        {"new_regency": "yes", "short": "yes", "castillo": "open"},
        {"shift_of_power": "yes", "start_seat": "1"},
        {"cards": "2023", "veterans": "vet-veto-1,vet-veto-2", "short": "yes", "shift_of_power": "yes"},
        {"cards": "2023", "veterans": "all", "merged_stacks": "yes", "new_regency": "yes"},
    ),
    "la_granja": ({}, {"edition": "original"}, {"edition": "yucata"}, {"edition": "bga"}),
}


def tables(title: str) -> tuple[tuple[int, Chosen], ...]:
    """Seats and options of every table, to be played by turns."""
    rules = GAMES[title].rules
    found = list[tuple[int, Chosen]]()
    for chosen in TITLE_OPTIONS[title]:
        options = rules.options(chosen)
        found += [(seats, chosen) for seats in range(options.seats_min, options.seats_max + 1)]
    return tuple(found)
