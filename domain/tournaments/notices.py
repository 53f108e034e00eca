"""What an organiser has told everybody, and taken from somebody."""

from datetime import datetime

from domain.kernel.values import Value
from domain.matches.facts import Actor


class TournamentNotice(Value, frozen=True, omit_defaults=True):
    """What the organiser announced; until `since` for organisers alone, and once it is shown there is none."""

    at: datetime
    by: Actor
    text: str
    since: datetime | None = None


class Penalty(Value, frozen=True):
    at: datetime
    by: Actor
    entry: str
    sixtieths: int
    reason: str
