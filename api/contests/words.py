"""Words for the choices of contests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from domain.contests.deadlines import Consequence
from domain.kernel.messages import N_
from domain.leagues.plan import Withdrawal

CONSEQUENCES: Final[Mapping[Consequence, str]] = {
    "organiser": N_("the organiser decides"),
    "lots": N_("places are drawn by lot"),
    "score": N_("the current points decide"),
    "overdue": N_("the current points decide, and players who have to move are placed last"),
    "bots": N_("bots play on from the position, and their points decide"),
}
WITHDRAWALS: Final[Mapping[Withdrawal, str]] = {
    "walkover": N_("a bot plays on; earlier tables count"),
    "annul": N_("a bot plays on; early in the season, earlier tables are annulled"),
    "substitute": N_("an alternate takes the place, or else a bot plays on"),
}
