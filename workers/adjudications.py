"""Tables at which bots play on after a deadline: the lines of play, computed from the public log of the ended match."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, Protocol

import structlog

from domain.contests.adjudication import TRIES, BotLines, play_lines
from domain.matches.apply import fold
from domain.matches.log.log_files import parse_log
from workers.bots.kinds import BotKind
from workers.client import TableLeft
from workers.matches.bot_turn import Players

logger = structlog.get_logger("adjudications")

STRONGEST: Final = ("search-quick", "greedy", "random")
"""The bots that play on, the first that knows the title. Stronger ones need minutes for a match."""


class LogReader(Protocol):
    """The part of the service's interface that reads logs."""

    def read_log(self, match_id: str) -> bytes | None:
        """Return the complete log of an ended match, or None if it no longer exists."""
        ...


def adjudicate(
    service: LogReader, tables: Sequence[TableLeft], post: Callable[[str, object], bool], players: Players
) -> bool:
    """Submit the outcome of the first table that bots can play on, and return whether it was wanted.

    At a table whose time is over the service decides without lines. A table that fails is left to a later job.
    Idempotent: the same match gives the same lines, and the first submission stays. `post` takes the path within the
    event, and the payload.
    """
    for table in tables:
        if table.is_late:
            return post(f"{table.address}/lines", {})
        try:
            lines = read_lines(service, table.match, players)
        except Exception:  # Whatever is wrong with one table, the others are decided.
            logger.exception("bots could not play on", match=table.match)
            continue
        if lines is not None:
            return post(f"{table.address}/lines", {"bot": lines.bot, "lines": lines.points})
    return False


def read_lines(service: LogReader, match_id: str, players: Players) -> BotLines | None:
    """Return the lines of play from the last position of an ended match; None if it no longer exists."""
    content = service.read_log(match_id)
    if content is None:
        return None
    match = fold(players.titles, parse_log(content).entries)
    bot = strongest_bot(match.definition.name, players)
    return BotLines(bot.actor, play_lines(match, partial(bot.choose, budget=TRIES)))


def strongest_bot(title: str, players: Players) -> BotKind:
    """Return the strongest bot that plays a title in seconds."""
    return next(players.bots[name] for name in STRONGEST if name in players.bots and players.bots[name].can_play(title))
