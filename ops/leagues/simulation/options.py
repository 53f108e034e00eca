"""The options of `esporles league simulate`, without the modules that run it."""

from argparse import ArgumentParser
from typing import Final

from ops.leagues.simulation.shape import Shape

HELP: Final = {
    "divisions": "number of divisions",
    "people": "number of people at the start",
    "seasons": "number of seasons to be played",
    "rounds": "rounds of a season",
    "size": "seats of a table",
    "seed": "seed of all chance",
    "leaving": "per cent of people who leave in the middle of a season, half of them without a word",
    "absent": "per cent who miss a round of each season",
    "disputing": "per cent who dispute a table in each season",
    "on_holiday": "per cent who are on holiday for a week in each season",
    "slow": "per cent who use almost all their time for each action",
}
CONSEQUENCES: Final = ("score", "lots", "overdue", "bots")


def add_options(parser: ArgumentParser) -> None:
    """Add the options, whose defaults are a year of four divisions of fifty."""
    defaults = Shape()
    for name, text in HELP.items():
        default = getattr(defaults, name)
        parser.add_argument(
            f"--{name.replace('_', '-')}", type=int, default=default, help=f"{text} (default: {default})"
        )
    parser.add_argument(
        "--consequence",
        choices=CONSEQUENCES,
        default=defaults.consequence,
        help=f"outcome of unfinished tables at a deadline (default: {defaults.consequence})",
    )
