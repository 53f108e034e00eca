"""The idempotent jobs of workers by their name in the queue; each takes the service client, an id and numbers."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from workers.analyses.pieces import analyse
from workers.circuits import circuit_step
from workers.hints import give_hint
from workers.holidays import apply_holidays
from workers.leagues import league_step
from workers.matches.bot_turn import Players, bot_turn
from workers.matches.deadline import pass_deadline
from workers.matches.expire_turns import expire_turns
from workers.matches.service_turn import service_turn
from workers.queues import (
    ANALYSE,
    APPLY_HOLIDAYS,
    BOT_TURN,
    CIRCUIT_STEP,
    DEADLINE,
    EXPIRE_TURNS,
    GIVE_HINT,
    LEAGUE_STEP,
    RANKING_STEP,
    SERVICE_TURN,
    TOURNAMENT_STEP,
)
from workers.rankings import ranking_step
from workers.tournaments import tournament_step

Jobs = Mapping[str, Callable[..., Any]]


def build_jobs(players: Players) -> Jobs:
    """Return the jobs by name for these titles and bots; deliveries of notifications are not among them."""
    return {
        ANALYSE: partial(analyse, players=players),
        APPLY_HOLIDAYS: apply_holidays,
        GIVE_HINT: partial(give_hint, players=players),
        BOT_TURN: partial(bot_turn, players=players),
        TOURNAMENT_STEP: partial(tournament_step, players=players),
        EXPIRE_TURNS: expire_turns,
        CIRCUIT_STEP: circuit_step,
        DEADLINE: pass_deadline,
        LEAGUE_STEP: partial(league_step, players=players),
        RANKING_STEP: ranking_step,
        SERVICE_TURN: service_turn,
    }
