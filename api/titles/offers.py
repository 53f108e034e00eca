"""What the lobby offers of each title: how many may sit down, its editions and variants, and what a table agreed on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from api.http.app_state import AppKey
from domain.kernel.messages import Message
from domain.kernel.title import AnyTitle, Choice, Titles
from domain.matches.seats.bots import bot_name, can_play
from domain.matches.shelves import at_hand

GENTLE: Final = "gentle"


class Offer(msgspec.Struct, frozen=True):
    """A title as it is offered to whoever opens a table."""

    definition: AnyTitle
    bots: tuple[tuple[str, Message], ...]
    """The bots that can play it, with what they can do."""
    usual_bot: str
    """The one that plays where none is named; empty: none can."""

    @property
    def title(self) -> str:
        return self.definition.name

    @property
    def first_bot(self) -> str:
        """The one for somebody who has perhaps never played."""
        return GENTLE if GENTLE in dict(self.bots) else self.usual_bot

    @property
    def words(self) -> Message:
        return self.definition.words

    @property
    def seats(self) -> range:
        return self.definition.players

    @property
    def has_cards(self) -> bool:
        """There is a page of its cards."""
        return self.definition.catalogue is not None

    @property
    def all_choices(self) -> tuple[Choice, ...]:
        """All that can be chosen, with the files an operator has put beside the package's own, if there are any."""
        files = (choice for choice in files_of(self.definition) if len(choice.values) > 1)
        return (*self.definition.choices, *files)


OFFERS: Final = AppKey[Mapping[str, Offer]]("offers")


def build_offers(titles: Titles, bots: tuple[str, ...]) -> Mapping[str, Offer]:
    """The offers by title, in the order of the list."""
    able = {name: bots_for(title, bots) for name, title in titles.items()}
    return {
        name: Offer(titles[name], strengths(titles[name], each), next(map(bot_name, each), ""))
        for name, each in able.items()
    }


def bots_and_titles(offers: Mapping[str, Offer]) -> tuple[tuple[str, Message, tuple[str, ...]], ...]:
    """Every bot that can play a title, for a form in which the title is still to be chosen: its short name, what it can
    do in any of them, and the titles it can play where these are not all."""
    words = {bot: STRENGTHS.get(bot, strength) for offer in offers.values() for bot, strength in offer.bots}
    playing = {bot: tuple(name for name, offer in offers.items() if bot in dict(offer.bots)) for bot in words}
    return tuple((bot, words[bot], names if len(names) < len(offers) else ()) for bot, names in playing.items())


def chosen_words(title: AnyTitle, options: Mapping[str, str]) -> tuple[Message, ...]:
    """What a table with these options is called: the edition always, a variant where it is not the usual one."""
    words = []
    for choice in (*title.choices, *files_of(title)):
        value = options.get(choice.option, choice.values[0][0])
        if value == choice.values[0][0] and not choice.is_always_said:
            continue
        words.append(choice.label if choice.is_tick else dict(choice.values).get(value, file_words(value)))
    return tuple(words)


FILES: Final[Mapping[str, tuple[Message, Message]]] = {
    "deck": (Message("Deck"), Message("the deck of the box")),
    "components": (Message("Components"), Message("the components of the box")),
}
"""Of an option that takes a file: what it is called, and what the package's own is called."""


def file_words(value: str) -> Message:
    """A file as people know it: its name, and the beginning of its digest, which no two have in common."""
    name, at, digest = value.partition("@")
    return Message("“{name}”", {"name": f"{name.replace('_', ' ')}{at and ' '}{digest[:6]}"})


def files_of(title: AnyTitle) -> tuple[Choice, ...]:
    """The options that take a file, with the files there are."""
    return tuple(
        Choice(option, FILES[option][0], ((own, FILES[option][1]), *((name, file_words(name)) for name in others)))
        for option, (own, *others) in at_hand(title).items()
    )


STRENGTHS: Final[Mapping[str, Message]] = {
    "random": Message("Random bot: plays anything it may"),
    "gentle": Message("Gentle bot: for your first matches"),
    "greedy": Message("Greedy bot: plans every action"),
    "search-quick": Message(
        "Quick searching bot: thinks for 0.1 seconds, wins 9 of 10 two-player matches against the greedy bot"
    ),
    "search-steady": Message("Steady searching bot: thinks for up to 1 second"),
    "search-strong": Message("Strong searching bot: thinks for up to 5 seconds"),
}
"""What the bots can do in every title, by their short names, the weakest first."""


def bots_for(title: AnyTitle, bots: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the bots that can play the title, in their order."""
    return tuple(bot for bot in bots if can_play(title, f"bot:{bot}"))


def strengths(title: AnyTitle, bots: tuple[str, ...]) -> tuple[tuple[str, Message], ...]:
    """Bots by their short names, with what they can do: the weakest first, those that nothing is known of last."""
    order, words = list(STRENGTHS), {**STRENGTHS, **title.bot_words}
    names = sorted(map(bot_name, bots), key=lambda bot: order.index(bot) if bot in order else len(order))
    return tuple((name, words.get(name, Message("{name} bot", {"name": name.capitalize()}))) for name in names)
