"""The service's bots by their short names."""

from __future__ import annotations

from api.titles.offers import bots_for
from domain.kernel.title import AnyTitle
from domain.matches.aggregate import Match, info_of
from domain.matches.errors import BotCannotPlay, OnlyPlainBot, UnknownActor
from domain.matches.facts import Actor, is_bot
from domain.matches.seats.bots import bot_name


def bot_actor(bots: tuple[str, ...], name: str) -> Actor:
    """Return the actor `bot:name@version` of a bot by its short or full name; raise `UnknownActor` if there is none."""
    for full_name in bots:
        if name in (full_name, bot_name(full_name)):
            return f"bot:{full_name}"
    raise UnknownActor(f"unknown bot {name!r}; known: {', '.join(sorted(bots))}")


def require_known(bots: tuple[str, ...], actor: Actor) -> None:
    """Raise `UnknownActor` if `actor` is a bot that is not among the service's `bots` in any version; ignore people.

    The match would wait forever for such a bot. If the service has another version of the bot, that version plays.
    """
    if is_bot(actor):
        bot_actor(bots, bot_name(actor))


def default_bot(bots: tuple[str, ...], title: AnyTitle) -> Actor:
    """Return the first bot that can play the title, as `bot:name`; raise `BotCannotPlay` if there is none."""
    capable_bots = bots_for(title, bots)
    if not capable_bots:
        raise BotCannotPlay(f"no bot can play {title.name}; known: {', '.join(sorted(bots))}")
    return f"bot:{capable_bots[0]}"


def named_bot(bots: tuple[str, ...], name: str, title: AnyTitle) -> Actor:
    """Return the bot with this name (else `UnknownActor`), or for "" the title's default bot (else `BotCannotPlay`)."""
    return bot_actor(bots, name) if name else default_bot(bots, title)


def require_plain_bot(match: Match, seat: int, by: Actor, actor: Actor, bots: tuple[str, ...]) -> None:
    """Raise `OnlyPlainBot` if a player hands over to another bot than the default one and the result counts elsewhere.

    Empty seats, other people's seats and replacements by people are not checked. Raises `UnknownSeat` if the match does
    not have the seat, `BotCannotPlay` if the title has no default bot.
    """
    if info_of(match, seat).actor == by and match.table.counts and is_bot(actor):
        default = default_bot(bots, match.definition)
        if actor != default:
            name = bot_name(default)
            raise OnlyPlainBot(f"at match {match.id} only the bot {name!r} can take over, not {actor!r}", name)
