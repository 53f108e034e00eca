"""The steps that the service takes for a ranking list: closing its months, each on the first of the next month."""

from typing import Final

from domain.contests.duties import DueStep
from domain.rankings.state import Ranking
from domain.ratings.ladder import end_of_month, month_of

FREEZE: Final = "freeze"


def due_period(ranking: Ranking) -> int | None:
    """Return the month that is closed next, or None if no further one is: the list is retired, or its time is over."""
    is_over = bool(ranking.rule.results.until) and month_of(ranking.first_period) > ranking.rule.results.until
    return None if ranking.is_retired or is_over else ranking.first_period


def duty_of(ranking: Ranking) -> DueStep | None:
    """Return the next step of the service, with its time."""
    period = due_period(ranking)
    return None if period is None else DueStep(FREEZE, end_of_month(period))
