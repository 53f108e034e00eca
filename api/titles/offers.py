"""What the lobby offers of each title: how many may sit down, its editions and variants, and what a table agreed on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from domain.kernel.messages import Message
from domain.matches.registry import RULES
from domain.matches.shelves import at_hand


class Choice(msgspec.Struct, frozen=True):
    """An option of a title in words; its values in words, the default first."""

    option: str
    label: Message
    values: tuple[tuple[str, Message], ...]
    is_always_said: bool = False
    """A table says of it which value it has even if that is the usual one."""

    @property
    def is_tick(self) -> bool:
        """Whether it is the one thing or not: a box to tick."""
        return self.values[0][1] == USUAL


class Offer(msgspec.Struct, frozen=True):
    """A title on the first page."""

    title: str
    words: Message
    choices: tuple[Choice, ...]

    @property
    def seats(self) -> range:
        """With so many players it can be played; some variants allow fewer, and say so when they are asked for."""
        options = RULES[self.title].options({})
        return range(options.seats_min, options.seats_max + 1)

    @property
    def offered(self) -> tuple[Choice, ...]:
        """All that can be chosen, with the files an operator has put beside the package's own, if there are any."""
        return (*self.choices, *(choice for choice in files_of(self.title) if len(choice.values) > 1))

    def chosen(self, options: Mapping[str, str]) -> tuple[Message, ...]:
        """What a table with these options is called: the edition always, a variant where it is not the usual one."""
        words = []
        for choice in (*self.choices, *files_of(self.title)):
            value = options.get(choice.option, choice.values[0][0])
            if value == choice.values[0][0] and not choice.is_always_said:
                continue
            words.append(choice.label if choice.is_tick else dict(choice.values).get(value, file_words(value)))
        return tuple(words)


USUAL: Final = Message("as usual")
FILES: Final[Mapping[str, tuple[Message, Message]]] = {
    "deck": (Message("Deck"), Message("the deck of the box")),
    "components": (Message("Components"), Message("the components of the box")),
}
"""Of an option that takes a file: what it is called, and what the package's own is called."""


def file_words(value: str) -> Message:
    """A file as people know it: its name, and the beginning of its digest, which no two have in common."""
    name, at, digest = value.partition("@")
    return Message("“{name}”", {"name": f"{name.replace('_', ' ')}{at and ' '}{digest[:6]}"})


def files_of(title: str) -> tuple[Choice, ...]:
    """The options that take a file, with the files there are."""
    return tuple(
        Choice(option, FILES[option][0], ((own, FILES[option][1]), *((name, file_words(name)) for name in others)))
        for option, (own, *others) in at_hand(title).items()
    )


def tick(option: str, usual: str, value: str, label: Message) -> Choice:
    return Choice(option, label, ((usual, USUAL), (value, label)))


OFFERS: Final = (
    Offer(
        "la_granja",
        Message("A farm in the hills of Mallorca: cards with four uses, dice, donkeys and a market."),
        (
            Choice(
                "edition",
                Message("Edition"),
                (
                    ("deluxe", Message("Deluxe edition")),
                    ("original", Message("First edition (2014)")),
                    ("yucata", Message("As on Yucata")),
                    ("bga", Message("As on Board Game Arena")),
                ),
                is_always_said=True,
            ),
        ),
    ),
    Offer(
        "el_grande",
        Message("Caballeros for the majority in the regions of Spain, and never too near the king."),
        (
            tick("cards", "2006", "2023", Message("Cards of the 2023 edition instead of those of 2006")),
            tick("veterans", "none", "all", Message("Veteran cards, Veto among them (needs the cards of 2023)")),
            tick("new_regency", "no", "yes", Message("New Regency: ten cards that send the king about")),
            tick("shift_of_power", "no", "yes", Message("Shift of Power: grey power cards")),
            tick("short", "no", "yes", Message("Short game: six rounds")),
            tick("castillo", "remembered", "open", Message("Open Castillo")),
            tick("merged_stacks", "no", "yes", Message("Merged stacks (2 or 3 players)")),
        ),
    ),
)
BY_TITLE: Final[Mapping[str, Offer]] = {offer.title: offer for offer in OFFERS}

STRENGTHS: Final[Mapping[str, Message]] = {
    "greedy": Message("Greedy bot: plans every action"),
    "random": Message("Random bot: plays anything it may"),
}
"""What the bots can do, by their short names."""


def strengths(bots: tuple[str, ...]) -> tuple[tuple[str, Message], ...]:
    """The bots that can be asked for, with what they can do."""
    names = [bot.partition("@")[0] for bot in bots]
    return tuple((name, STRENGTHS.get(name, Message("{name} bot", {"name": name.capitalize()}))) for name in names)
