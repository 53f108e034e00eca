"""The shape of a simulated league: its size, and the shares of people who behave differently."""

from datetime import UTC, datetime, timedelta
from typing import Any, Final

import msgspec

from ops.console import WrongUsage

START: Final = datetime(2031, 1, 6, 8, tzinfo=UTC)
"""The time at which the league is opened."""
REGISTRATION_DAYS: Final = 14
DRAW_DAYS: Final = 2
BREAK_DAYS: Final = 23
ROUND_DAYS: Final = 20
EXTENSION_DAYS: Final = 2
TURN_SECONDS: Final = 2 * 86_400
ABSENCE_DAYS: Final = 14
GROUP_PLACES: Final = 10
BOT: Final = "bot:random@1"
TITLE: Final = "el_grande"
PEOPLE_MAX: Final = 400
SEASONS_MAX: Final = 12
DIVISIONS_MAX: Final = 8
SIZES: Final = range(2, 6)
ROUNDS_MAX: Final = 9


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """The options of a simulation; shares are in per cent."""

    divisions: int = 4
    people: int = 200
    seasons: int = 3
    rounds: int = 5
    size: int = 5
    seed: int = 1
    leaving: int = 20
    """People who leave in the middle of a season: half of them withdraw, the others never act again."""
    absent: int = 10
    """People who miss one round of each season."""
    disputing: int = 5
    """People who dispute a table in each season."""
    on_holiday: int = 33
    """People who are on holiday for a week in each season."""
    slow: int = 5
    """People who use almost all of their time for each action, so that their tables reach the deadline."""
    consequence: str = "score"
    """The outcome of an unfinished table at its deadline."""

    @property
    def places(self) -> int:
        """The number of places of a division."""
        return self.people // self.divisions

    @property
    def starts(self) -> datetime:
        """The start of the first season."""
        return START + timedelta(days=REGISTRATION_DAYS + DRAW_DAYS, hours=1)

    @property
    def last_day(self) -> datetime:
        """The time at which the season after the last one must have been drawn, with a margin of two weeks."""
        season_days = ROUND_DAYS * self.rounds + BREAK_DAYS
        return self.starts + timedelta(days=season_days * self.seasons + 14)


def check_shape(shape: Shape) -> None:
    """Raise `WrongUsage` for a league that cannot be simulated; the sentence names the option."""
    ranges = {
        "divisions": range(1, DIVISIONS_MAX + 1),
        "people": range(shape.divisions * shape.size, PEOPLE_MAX + 1),
        "seasons": range(1, SEASONS_MAX + 1),
        "rounds": range(1, ROUNDS_MAX + 1),
        "size": SIZES,
    }
    shares = ("leaving", "absent", "disputing", "on_holiday", "slow")
    for name, allowed in {**ranges, **dict.fromkeys(shares, range(101))}.items():
        if (value := getattr(shape, name)) not in allowed:
            option = name.replace("_", "-")
            raise WrongUsage(f"invalid --{option} {value}: expected a number from {allowed[0]} to {allowed[-1]}")
    if shape.people % shape.divisions:
        raise WrongUsage(f"invalid --people {shape.people}: {shape.divisions} divisions cannot have equal numbers")
    taken = shape.leaving + shape.absent + shape.disputing + shape.slow
    if taken > 100:
        raise WrongUsage(f"the shares of --leaving, --absent, --disputing and --slow together are {taken} per cent")


def plan_of(shape: Shape) -> dict[str, Any]:
    """Return the plan of the league."""
    groups = max(1, round(shape.places / GROUP_PLACES))
    places = -(-shape.places // groups)
    moving = max(1, places // 5)
    divisions = [
        {
            "name": f"Division {number}",
            "groups": groups,
            "places": places,
            "up": moving if number > 1 else 0,
            "down": moving if number < shape.divisions else 0,
        }
        for number in range(1, shape.divisions + 1)
    ]
    return {
        "name": "Simulated league",
        "title": TITLE,
        "options": {"short": "yes"},
        "table": {
            "clock": {"kind": "correspondence", "seconds": TURN_SECONDS},
            "rated": True,
            "absenceDays": ABSENCE_DAYS,
        },
        "size": shape.size,
        "divisions": divisions,
        "rounds": shape.rounds,
        "roundDays": ROUND_DAYS,
        "bot": BOT,
        "schedule": {
            "starts": shape.starts,
            "registrationDays": REGISTRATION_DAYS,
            "drawDays": DRAW_DAYS,
            "breakDays": BREAK_DAYS,
        },
        "deadlines": {"consequence": shape.consequence, "extensionDays": EXTENSION_DAYS},
        "cap": shape.people,
    }
