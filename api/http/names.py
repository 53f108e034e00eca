"""Displayed names of erased accounts, bots, roles and the service."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Final

from api.http.languages import _
from domain.kernel.messages import N_

SERVICE_NAME: Final = N_("the server")
BOT_NAMES: Final[Mapping[str, str]] = {
    "gentle": N_("Gentle bot"),
    "greedy": N_("Greedy bot"),
    "random": N_("Random bot"),
    "search-quick": N_("Quick search bot"),
    "search-steady": N_("Steady search bot"),
    "search-strong": N_("Strong search bot"),
}
ERASED_NAME: Final = N_("deleted account")
"""The displayed name of an erased account (`erased_name`)."""


def erased_name() -> str:
    """Return the displayed name of erased accounts, in the language of the reader."""
    return _(ERASED_NAME)


def is_erased(name: str) -> bool:
    """Return whether a displayed name belongs to an erased account; several at one table are numbered."""
    own = erased_name()
    return name == own or name.startswith(f"{own} ")


ROLE_WORDS: Final = {
    "annotator": N_("annotator"),
    "arbiter": N_("arbiter"),
    "head_arbiter": N_("head arbiter"),
    "organiser": N_("organiser"),
    "operator": N_("operator"),
}


def without_accents(name: str) -> str:
    """Return a name in lower case without accents; barred letters sort with plain ones."""
    letters = unicodedata.normalize("NFKD", name.casefold()).translate({ord("ł"): "l", ord("ø"): "o", ord("đ"): "d"})
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
