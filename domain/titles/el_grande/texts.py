"""What cards say to players where the component table says less than is played; each text is checked to be a card's."""

import re
from collections.abc import Collection, Mapping
from typing import Any, Final

import msgspec

from domain.kernel.component_data import demand, plain
from domain.titles.el_grande import data

FILE: Final = "texts.toml"
COPY: Final = re.compile(r"-\d+$")


class Texts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The texts by card, or by the cards it stands for: of both sets, of 2006 alone (EG-26.1), of grey cards."""

    cards: Mapping[str, str]
    older: Mapping[str, str]
    grey: Mapping[str, str]


def text_in(texts: Mapping[str, str], id: str, printed: str) -> str:
    """The text of a card, or the one all its copies share; the printed one where that says it all."""
    return texts.get(id, texts.get(COPY.sub("", id), printed))


def check_texts(texts: Mapping[str, str], ids: Collection[str], part: str) -> None:
    """Every text of a part of the file is that of a card."""
    known = {*ids, *(COPY.sub("", id) for id in ids)}
    for id in texts:
        demand(id in known, f"{FILE}, {part}", f"key `{id}`: there is no such card")


def load_texts(table: Mapping[str, Any], file: str) -> Texts:
    """The texts of a parsed file."""
    return plain(Texts, table, file)


TEXTS: Final = load_texts(data.read_table(FILE), FILE)
