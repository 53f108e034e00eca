"""The titles that each bot can play."""

from collections.abc import Mapping
from typing import Final

from domain.kernel.title import AnyTitle
from domain.matches.errors import BotCannotPlay
from domain.matches.facts import Actor, is_bot

SEARCHING: Final[Mapping[str, int]] = {"search-quick": 100, "search-steady": 1_000, "search-strong": 5_000}
"""Bots that search, with their maximum thinking time in milliseconds while a person waits."""
PLANNING: Final = frozenset({"gentle", "greedy", *SEARCHING})
"""Bots that need a position evaluation of the title. A test keeps this equal to `workers.bots`."""


def bot_name(actor: Actor) -> str:
    """Return the short name of a bot: `greedy` for `bot:greedy@2`."""
    return actor.removeprefix("bot:").partition("@")[0]


def thinking_milliseconds(actor: Actor | None) -> int:
    """Return the maximum thinking time of a searching bot; 0 for anyone else."""
    return SEARCHING.get(bot_name(actor), 0) if actor is not None and is_bot(actor) else 0


def can_play(title: AnyTitle, actor: Actor) -> bool:
    """Return whether the player can play the title; people always can."""
    return title.is_judged or not is_bot(actor) or bot_name(actor) not in PLANNING


def check_bot(title: AnyTitle, actor: Actor) -> None:
    """Raise `BotCannotPlay` for a bot that cannot play the title, because the match would wait forever."""
    if not can_play(title, actor):
        raise BotCannotPlay(f"the bot {bot_name(actor)!r} cannot play {title.name}")
