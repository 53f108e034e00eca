"""Which bots can play which title, before one is given a seat."""

from collections.abc import Mapping
from typing import Final

from domain.kernel.title import AnyTitle
from domain.matches.errors import BotCannotPlay
from domain.matches.facts import Actor, is_bot

SEARCHING: Final[Mapping[str, int]] = {"search-quick": 100, "search-steady": 1_000, "search-strong": 5_000}
"""The bots that think for a while, and how many milliseconds at most where somebody waits for a choice."""
PLANNING: Final = frozenset({"gentle", "greedy", *SEARCHING})
"""The bots that need an evaluation of a title's positions; must agree with `workers.bots`, a test there holds it."""


def bot_name(actor: Actor) -> str:
    """The short name of a bot: `greedy` of `bot:greedy@2`."""
    return actor.removeprefix("bot:").partition("@")[0]


def thinking_milliseconds(actor: Actor | None) -> int:
    """How long the player may think about a choice if it is a bot; 0 for those that take no time to speak of."""
    return SEARCHING.get(bot_name(actor), 0) if actor is not None and is_bot(actor) else 0


def can_play(title: AnyTitle, actor: Actor) -> bool:
    """Whether the player can play the title; every person can."""
    return title.is_judged or not is_bot(actor) or bot_name(actor) not in PLANNING


def check_bot(title: AnyTitle, actor: Actor) -> None:
    """Refuses a bot that cannot play the title: it would keep the match waiting for ever."""
    if not can_play(title, actor):
        raise BotCannotPlay(f"the bot {bot_name(actor)!r} cannot play {title.name}")
