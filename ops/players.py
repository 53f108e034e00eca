"""The titles the console knows, and the bots that play them: what its main function was given, for all commands."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from domain.kernel.loading import load

if TYPE_CHECKING:
    from workers.matches.bot_turn import Players

FindPlayers = Callable[[], "Players"]
"""Asked only by commands that need them, because they take longer to load than all else. A function of a module:
other processes, which play in parallel, find them by it."""

GIVEN: Final = "find_players"


def load_players() -> Players:
    """Those of the product."""
    players: Players = load("workers.matches.bot_turn", "PLAYERS")
    return players


def give_players(parser: ArgumentParser, find_players: FindPlayers) -> None:
    """From now on the parser has them, and whatever it reads."""
    parser.set_defaults(**{GIVEN: find_players})


def find_players_of(given: ArgumentParser | Namespace) -> FindPlayers:
    """How they are found, for another process."""
    found: FindPlayers = given.get_default(GIVEN) if isinstance(given, ArgumentParser) else getattr(given, GIVEN)
    return found


def players_of(given: ArgumentParser | Namespace) -> Players:
    return find_players_of(given)()
