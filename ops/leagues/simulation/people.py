"""The people of a simulated league and their habits."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Final

import msgspec

from ops.leagues.simulation.service import SimulatedService
from ops.leagues.simulation.shape import ROUND_DAYS, Shape

HOLIDAY_DAYS: Final = 7
RESERVES_PER_CENT: Final = 10
"""People who wait for a place, as a share of all places."""


class Leaving(msgspec.Struct, frozen=True):
    """When a person leaves: a season, and a round of it; 0: after the draw was proposed."""

    season: int
    round: int
    withdraws: bool
    """Whether the person withdraws, or just never acts again."""


class Player:
    """A person with an account, and their habits."""

    def __init__(self, name: str, account: tuple[str, str]) -> None:
        self.name = name
        self.id, self.token = account
        self.leaving: Leaving | None = None
        self.misses_rounds = False
        self.disputes = False
        self.has_holidays = False
        self.is_slow = False
        self.has_left = False
        self.disputed_season = 0
        """The last season in which the person has disputed a table."""
        self.away = list[tuple[datetime, datetime]]()
        """Times in which the person does not act."""

    def is_available(self, at: datetime) -> bool:
        """Return whether the person would act now."""
        return not self.has_left and not any(first <= at < last for first, last in self.away)


def create_people(service: SimulatedService, shape: Shape) -> tuple[list[Player], list[Player]]:
    """Create the accounts of the first season and of the people who wait for a place, with habits from the seed."""
    count = shape.people + max(1, shape.people * RESERVES_PER_CENT // 100)
    people = [Player(name, service.create_account(name)) for name in (f"Player {at:03}" for at in range(1, count + 1))]
    regulars, reserves = people[: shape.people], people[shape.people :]
    give_habits(regulars, shape)
    return regulars, reserves


def give_habits(people: Sequence[Player], shape: Shape) -> None:
    """Choose who leave, miss rounds, dispute, are slow, and, independently, who have holidays."""
    random = Random(f"{shape.seed}/habits")
    order = iter(random.sample(list(people), len(people)))
    for number, player in enumerate(take(order, share(people, shape.leaving))):
        player.leaving = Leaving(1 + number % shape.seasons, random.randrange(shape.rounds + 1), number % 2 == 0)
    for player in take(order, share(people, shape.absent)):
        player.misses_rounds = True
    for player in take(order, share(people, shape.disputing)):
        player.disputes = True
    for player in take(order, share(people, shape.slow)):
        player.is_slow = True
    for player in random.sample(list(people), share(people, shape.on_holiday)):
        player.has_holidays = True


def share(people: Sequence[Player], per_cent: int) -> int:
    """Return the number of people in a share, at least one unless it is 0."""
    return 0 if per_cent == 0 else max(1, round(len(people) * per_cent / 100))


def take(players: Iterator[Player], count: int) -> list[Player]:
    """Return the next `count` players, or the remaining ones."""
    return [player for _, player in zip(range(count), players, strict=False)]


def choose_round(random: Random, starts: datetime, rounds: int) -> tuple[datetime, datetime]:
    """Return the start and the end of a random round of a season."""
    first = starts + timedelta(days=ROUND_DAYS * random.randrange(rounds))
    return first, first + timedelta(days=ROUND_DAYS)


def choose_holiday(random: Random, starts: datetime, rounds: int) -> tuple[datetime, datetime]:
    """Return the start and the end of a random holiday within a season."""
    first = starts + timedelta(days=random.uniform(1, ROUND_DAYS * rounds - HOLIDAY_DAYS), hours=random.randrange(24))
    first = first.replace(minute=0, second=0, microsecond=0)
    return first, first + timedelta(days=HOLIDAY_DAYS)
