"""The titles and bots of the console, passed from its main function to all commands."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from domain.kernel.loading import load

if TYPE_CHECKING:
    from workers.matches.bot_turn import Players

FindPlayers = Callable[[], "Players"]
"""A module-level function that loads titles and bots.

It is called only by commands that need them, because loading is slow, and other processes import it by name.
"""

PLAYERS_ARGUMENT: Final = "find_players"


def load_players() -> Players:
    """Return the default titles and bots."""
    players: Players = load("workers.matches.bot_turn", "PLAYERS")
    return players


def store_players(parser: ArgumentParser, find_players: FindPlayers) -> None:
    """Store the function in the parser and in the arguments it parses."""
    parser.set_defaults(**{PLAYERS_ARGUMENT: find_players})


def find_players_of(arguments: ArgumentParser | Namespace) -> FindPlayers:
    """Return the stored function that loads titles and bots, for use in another process."""
    find_players: FindPlayers = (
        arguments.get_default(PLAYERS_ARGUMENT)
        if isinstance(arguments, ArgumentParser)
        else getattr(arguments, PLAYERS_ARGUMENT)
    )
    return find_players


def players_of(arguments: ArgumentParser | Namespace) -> Players:
    """Load the titles and bots."""
    return find_players_of(arguments)()
