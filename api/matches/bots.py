"""The bots of this service by the short names people use."""

from __future__ import annotations

from api.titles.offers import bots_for
from domain.kernel.title import AnyTitle
from domain.matches.aggregate import Match, info_of
from domain.matches.errors import BotCannotPlay, OnlyPlainBot, UnknownActor
from domain.matches.facts import Actor, is_bot
from domain.matches.seats.bots import bot_name


def bot_actor(bots: tuple[str, ...], name: str) -> Actor:
    """The full name of a bot people ask for by its short one."""
    for known in bots:
        if name in (known, bot_name(known)):
            return f"bot:{known}"
    raise UnknownActor(f"there is no bot {name!r}; there are: {', '.join(sorted(bots))}")


def require_known(bots: tuple[str, ...], actor: Actor) -> None:
    """`UnknownActor` for a bot of which this service has no version: a match would wait for it for ever. Of one that it
    has, its own version plays."""
    if is_bot(actor):
        bot_actor(bots, bot_name(actor))


def default_bot(bots: tuple[str, ...], title: AnyTitle) -> Actor:
    """The bot that plays where none was named: the first that can play the title."""
    able = bots_for(title, bots)
    if not able:
        raise BotCannotPlay(f"no bot here can play {title.name}; there are: {', '.join(sorted(bots))}")
    return f"bot:{able[0]}"


def named_bot(bots: tuple[str, ...], name: str, title: AnyTitle) -> Actor:
    """The bot of this name; without a name the usual one of the title."""
    return bot_actor(bots, name) if name else default_bot(bots, title)


def require_plain_bot(match: Match, seat: int, by: Actor, actor: Actor, bots: tuple[str, ...]) -> None:
    """Refuse any bot but the plain one for a player's own seat where the result counts beyond the match."""
    if info_of(match, seat).actor == by and match.table.counts and is_bot(actor):
        plain = default_bot(bots, match.definition)
        if actor != plain:
            name = bot_name(plain)
            raise OnlyPlainBot(f"at the match {match.id} only the bot {name!r} plays on, not {actor!r}", name)
