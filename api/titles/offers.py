"""The titles as the lobby offers them: numbers of players, editions, variants and bots; descriptions of options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from api.http.app_state import AppKey
from domain.kernel.messages import Message
from domain.kernel.title import AnyTitle, Choice, Titles
from domain.matches.data_files import list_option_values
from domain.matches.seats.bots import bot_name, can_play

BEGINNER_BOT: Final = "gentle"


class Offer(msgspec.Struct, frozen=True):
    """A title as offered to a member who creates a match."""

    definition: AnyTitle
    bots: tuple[tuple[str, Message], ...]
    """The bots that can play it, with descriptions."""
    usual_bot: str
    """The default bot; empty if no bot can play the title."""

    @property
    def title(self) -> str:
        """Return the name of the title."""
        return self.definition.name

    @property
    def first_bot(self) -> str:
        """Return the bot for a beginner."""
        return BEGINNER_BOT if BEGINNER_BOT in dict(self.bots) else self.usual_bot

    @property
    def words(self) -> Message:
        """Return the description of the title."""
        return self.definition.words

    @property
    def seats(self) -> range:
        """Return the possible numbers of players."""
        return self.definition.players

    @property
    def has_cards(self) -> bool:
        """Return whether the title has a page of cards."""
        return self.definition.catalogue is not None

    @property
    def all_choices(self) -> tuple[Choice, ...]:
        """Return all options, including files added by the operator."""
        files = (choice for choice in files_of(self.definition) if len(choice.values) > 1)
        return (*self.definition.choices, *files)


OFFERS: Final = AppKey[Mapping[str, Offer]]("offers")


def build_offers(titles: Titles, bots: tuple[str, ...]) -> Mapping[str, Offer]:
    """Return the offers by title, in the order of the list, each with the service's bots that can play it.

    The default bot is the first of these in the order of the setting, "" if none can.
    """
    bots_by_title = {name: bots_for(title, bots) for name, title in titles.items()}
    return {
        name: Offer(titles[name], strengths(titles[name], each), next(map(bot_name, each), ""))
        for name, each in bots_by_title.items()
    }


def bots_and_titles(offers: Mapping[str, Offer]) -> tuple[tuple[str, Message, tuple[str, ...]], ...]:
    """Return every bot that can play a title, for a form in which the title is not chosen yet.

    Each has a short name, a general description, and the titles it can play (empty if all).
    """
    strength_by_bot = {bot: STRENGTHS.get(bot, strength) for offer in offers.values() for bot, strength in offer.bots}
    titles_by_bot = {
        bot: tuple(name for name, offer in offers.items() if bot in dict(offer.bots)) for bot in strength_by_bot
    }
    return tuple(
        (bot, strength_by_bot[bot], names if len(names) < len(offers) else ()) for bot, names in titles_by_bot.items()
    )


def chosen_words(title: AnyTitle, options: Mapping[str, str]) -> tuple[Message, ...]:
    """Return the words for a match's options: always the edition, other options only if not the default."""
    labels = []
    for choice in (*title.choices, *files_of(title)):
        value = options.get(choice.option, choice.values[0][0])
        if value == choice.values[0][0] and not choice.is_always_said:
            continue
        labels.append(choice.label if choice.is_checkbox else dict(choice.values).get(value, file_words(value)))
    return tuple(labels)


FILES: Final[Mapping[str, tuple[Message, Message]]] = {
    "deck": (Message("Deck"), Message("deck from the box")),
    "components": (Message("Components"), Message("components from the box")),
}
"""Options that select a file: their label, and the label of the built-in file."""


def file_words(value: str) -> Message:
    """Return a file's name and the beginning of its digest."""
    name, separator, digest = value.partition("@")
    return Message("“{name}”", {"name": f"{name.replace('_', ' ')}{separator and ' '}{digest[:6]}"})


def files_of(title: AnyTitle) -> tuple[Choice, ...]:
    """Return the options that select a file, with the available files, the title's own first."""
    return tuple(
        Choice(
            option,
            FILES[option][0],
            ((own_file, FILES[option][1]), *((name, file_words(name)) for name in other_files)),
        )
        for option, (own_file, *other_files) in list_option_values(title).items()
    )


STRENGTHS: Final[Mapping[str, Message]] = {
    "random": Message("Random bot: plays any legal move"),
    "gentle": Message("Gentle bot: for your first matches"),
    "greedy": Message("Greedy bot: plans every action"),
    "search-quick": Message(
        "Quick search bot: thinks for 0.1 seconds, wins 9 of 10 two-player matches against the greedy bot"
    ),
    "search-steady": Message("Steady search bot: thinks for up to 1 second"),
    "search-strong": Message("Strong search bot: thinks for up to 5 seconds"),
}
"""Descriptions of bots that hold for every title, by short name, weakest first."""


def bots_for(title: AnyTitle, bots: tuple[str, ...]) -> tuple[str, ...]:
    """Return the bots that can play the title, in order."""
    return tuple(bot for bot in bots if can_play(title, f"bot:{bot}"))


def strengths(title: AnyTitle, bots: tuple[str, ...]) -> tuple[tuple[str, Message], ...]:
    """Return short names and descriptions of bots, weakest first; bots without a known strength last."""
    order, labels = list(STRENGTHS), {**STRENGTHS, **title.bot_words}
    names = sorted(map(bot_name, bots), key=lambda bot: order.index(bot) if bot in order else len(order))
    return tuple((name, labels.get(name, Message("{name} bot", {"name": name.capitalize()}))) for name in names)
