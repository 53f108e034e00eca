"""The past month of a ranking list, closed before the service of the pages starts, at the end of that month."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Final

from domain.ratings.ladder import end_of_month, month_of, period_of
from projections.platform.clock import now
from tests.api.rankings.ranked_site import KEY, open_site

NAMES: Final = ("Jaumet", "Llucieta", "Gori", "Coloma", "Margalida")
"""The players, and last the administrator."""


def close_past_month(folder: Path) -> dict[str, str]:
    """Let a service freeze a list of three players whose month has ended, void a result, and stop.

    Return the placeholders of its pages. The clock of this service is in the past month; the next month that is due is
    the current one.
    """
    period = period_of(now()) - 1
    with open_site(folder, end_of_month(period - 1) + timedelta(days=4), NAMES) as site:
        for number in range(1, 13):
            site.plays(number, NAMES[:3], days=number)
        site.plays(20, (NAMES[3], NAMES[2], NAMES[1]), days=12.5)
        site.plays(21, (NAMES[1], NAMES[0], "bot:greedy@1"), days=13)
        site.defines_standard_lists()
        site.freezes(end_of_month(period))
        site.voids(20)
    return {"ranked": KEY, "month": month_of(period), "listed": NAMES[0], "unlisted": NAMES[3]}
