"""`esporles cards`: the cards of a title, every use and where each value comes from."""

from argparse import ArgumentParser, Namespace
from collections import Counter
from typing import Final

from domain.kernel.catalogue import CataloguedCard
from domain.matches.catalogues import PROVENANCE_WORDS, group_cards
from domain.titles import TITLES
from ops.console import SUCCESS, answer, table
from ops.files import file_arguments, files_of, shelve

CATALOGUES: Final = {name: title.catalogue for name, title in TITLES.items() if title.catalogue is not None}
"""The titles with cards to read."""


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--title", required=True, choices=sorted(CATALOGUES), help="whose cards")
    file_arguments(parser)


def text_of(card: CataloguedCard) -> str:
    rows = [(f"  {side.name}", side.provenance, side.text) for side in card.sides]
    return "\n".join([f"{card.id}  {card.name}", table(rows), *(f"  note: {note}" for note in card.notes)])


def text(title: str, cards: tuple[CataloguedCard, ...]) -> str:
    counts = Counter(side.provenance.partition(":")[0] for card in cards for side in card.sides)
    words = [(f"  {word}", f"{counts[word]} values", meaning) for word, meaning in PROVENANCE_WORDS.items()]
    parts = [f"{title}: {len(cards)} cards\n{table(words)}"]
    for group, members in group_cards(cards).items():
        parts += [f"== {group} ({len(members)})", *map(text_of, members)]
    return "\n\n".join(parts)


def run(arguments: Namespace) -> int:
    chosen = TITLES[arguments.title].rules.options(shelve(arguments.title, files_of(arguments))).chosen
    cards = CATALOGUES[arguments.title](chosen)
    answer(arguments.json)({"title": arguments.title, "cards": cards}, text(arguments.title, cards))
    return SUCCESS
