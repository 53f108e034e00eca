"""Which bots can play which title, before one is given a seat."""

from typing import Final

from domain.kernel.title import AnyTitle
from domain.matches.errors import BotCannotPlay
from domain.matches.facts import Actor, is_bot

PLANNING: Final = frozenset({"greedy"})
"""The bots that need an evaluation of a title's positions; must agree with `workers.bots`, a test there holds it."""


def bot_name(actor: Actor) -> str:
    """The short name of a bot: `greedy` of `bot:greedy@2`."""
    return actor.removeprefix("bot:").partition("@")[0]


def can_play(title: AnyTitle, actor: Actor) -> bool:
    """Whether the player can play the title; every person can."""
    return title.is_judged or not is_bot(actor) or bot_name(actor) not in PLANNING


def check_bot(title: AnyTitle, actor: Actor) -> None:
    """Refuses a bot that cannot play the title: it would keep the match waiting for ever."""
    if not can_play(title, actor):
        raise BotCannotPlay(f"the bot {bot_name(actor)!r} cannot play {title.name}")
