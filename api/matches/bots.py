"""The service's bots by their short names."""

from __future__ import annotations

from api.titles.offers import bots_for
from domain.kernel.title import AnyTitle
from domain.matches.aggregate import Match, info_of
from domain.matches.errors import BotCannotPlay, OnlyPlainBot, UnknownActor
from domain.matches.facts import Actor, is_bot
from domain.matches.seats.bots import bot_name


def bot_actor(bots: tuple[str, ...], name: str) -> Actor:
    """Return the full name of a bot by its short name; raise `UnknownActor` if there is none."""
    for known in bots:
        if name in (known, bot_name(known)):
            return f"bot:{known}"
    raise UnknownActor(f"there is no bot {name!r}; there are: {', '.join(sorted(bots))}")


def require_known(bots: tuple[str, ...], actor: Actor) -> None:
    """Raise `UnknownActor` for a bot without any version here, because the match would wait forever.

    If the service has another version of the bot, that version plays.
    """
    if is_bot(actor):
        bot_actor(bots, bot_name(actor))


def default_bot(bots: tuple[str, ...], title: AnyTitle) -> Actor:
    """Return the default bot of a title: the first that can play it."""
    able = bots_for(title, bots)
    if not able:
        raise BotCannotPlay(f"no bot here can play {title.name}; there are: {', '.join(sorted(bots))}")
    return f"bot:{able[0]}"


def named_bot(bots: tuple[str, ...], name: str, title: AnyTitle) -> Actor:
    """Return the bot with this name, or the default bot of the title for ""."""
    return bot_actor(bots, name) if name else default_bot(bots, title)


def require_plain_bot(match: Match, seat: int, by: Actor, actor: Actor, bots: tuple[str, ...]) -> None:
    """Reject any bot except the default one for a player's own seat if the result counts beyond the match."""
    if info_of(match, seat).actor == by and match.table.counts and is_bot(actor):
        plain = default_bot(bots, match.definition)
        if actor != plain:
            name = bot_name(plain)
            raise OnlyPlainBot(f"at the match {match.id} only the bot {name!r} plays on, not {actor!r}", name)
