"""What workers do, by the name a queue calls it: functions of the service, an id and numbers, safe to run twice."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from workers.leagues import league_step
from workers.matches.bot_turn import bot_turn
from workers.matches.expire_turns import expire_turns
from workers.matches.house_turn import final_sale
from workers.queues import BOT_TURN, EVENT_STEP, EXPIRE_TURNS, FINAL_SALE, LEAGUE_STEP
from workers.tournaments import event_step

__all__ = ["JOBS"]

JOBS: Final[Mapping[str, Callable[..., Any]]] = {
    BOT_TURN: bot_turn,
    EVENT_STEP: event_step,
    EXPIRE_TURNS: expire_turns,
    FINAL_SALE: final_sale,
    LEAGUE_STEP: league_step,
}
