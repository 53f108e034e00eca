"""Card texts for players, where the component table is less precise than the rules in use."""

import re
from collections.abc import Collection, Mapping
from typing import Any, Final

import msgspec

from domain.kernel.component_data import convert_value, demand
from domain.titles.el_grande import data

FILE: Final = "texts.toml"
COPY: Final = re.compile(r"-\d+$")


class Texts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Texts by card id, or by the id shared by copies: for both editions, for 2006 only (EG-26.1), for grey cards."""

    cards: Mapping[str, str]
    older: Mapping[str, str]
    grey: Mapping[str, str]


def text_in(texts: Mapping[str, str], id: str, printed: str) -> str:
    """Return the text of a card or of all its copies, or else `printed`."""
    return texts.get(id, texts.get(COPY.sub("", id), printed))


def check_texts(texts: Mapping[str, str], ids: Collection[str], part: str) -> None:
    """Raise `DataFault` unless every id in a part of the text file belongs to a card, or to all its copies."""
    known = {*ids, *(COPY.sub("", id) for id in ids)}
    for id in texts:
        demand(id in known, f"{FILE}, {part}", f"key `{id}`: unknown card")


def load_texts(table: Mapping[str, Any], file: str) -> Texts:
    """Return the texts of a parsed file."""
    return convert_value(Texts, table, file)


TEXTS: Final = load_texts(data.read_table(FILE), FILE)
