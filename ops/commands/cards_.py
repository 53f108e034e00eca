"""`esporles cards`: list the cards of a title with the source of every value."""

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Mapping

from domain.kernel.catalogue import CataloguedCard
from domain.kernel.title import Titles
from domain.matches.catalogues import PROVENANCE_TEXTS, group_cards
from ops.console import SUCCESS, result_writer, table
from ops.deck_files import file_arguments, files_of, register_files
from ops.players import players_of

Catalogues = Mapping[str, Callable[[Mapping[str, str]], tuple[CataloguedCard, ...]]]


def load_catalogues(titles: Titles) -> Catalogues:
    """Return the card catalogues by title."""
    return {name: title.catalogue for name, title in titles.items() if title.catalogue is not None}


def arguments(parser: ArgumentParser) -> None:
    """Add `--title`, required and one of the titles with a catalogue, `--deck` and `--components`."""
    parser.add_argument(
        "--title", required=True, choices=sorted(load_catalogues(players_of(parser).titles)), help="the game"
    )
    file_arguments(parser)


def text_of(card: CataloguedCard) -> str:
    """Format a card: its id and name, a row with name, source and text for each side, and its notes."""
    rows = [(f"  {side.name}", side.provenance, side.text) for side in card.sides]
    return "\n".join([f"{card.id}  {card.name}", table(rows), *(f"  note: {note}" for note in card.notes)])


def text(title: str, cards: tuple[CataloguedCard, ...]) -> str:
    """Format all cards by group, after the number of values from each kind of source."""
    counts = Counter(side.provenance.partition(":")[0] for card in cards for side in card.sides)
    rows = [
        (f"  {provenance}", f"{counts[provenance]} values", meaning) for provenance, meaning in PROVENANCE_TEXTS.items()
    ]
    parts = [f"{title}: {len(cards)} cards\n{table(rows)}"]
    for group, members in group_cards(cards).items():
        parts += [f"== {group} ({len(members)})", *map(text_of, members)]
    return "\n\n".join(parts)


def run(arguments: Namespace) -> int:
    """Print the catalogue of the title, with the deck files of the options registered; return `SUCCESS`.

    Raises `WrongUsage` for an invalid deck file.
    """
    titles = players_of(arguments).titles
    chosen = titles[arguments.title].rules.options(register_files(titles, arguments.title, files_of(arguments))).chosen
    cards = load_catalogues(titles)[arguments.title](chosen)
    result_writer(arguments.json)({"title": arguments.title, "cards": cards}, text(arguments.title, cards))
    return SUCCESS
