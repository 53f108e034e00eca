"""Checks of texts in a study."""

from typing import Final

from domain.kernel.texts import fault_of_line
from domain.studies.errors import StudyRefused

TITLE_MAX: Final = 120


def check_words(text: str, length_max: int, what: str) -> None:
    """Raise `StudyRefused` for a text that is blank or longer than `length_max` characters; `what` names it."""
    if not text.strip():
        raise StudyRefused(f"{what} is empty")
    if len(text) > length_max:
        raise StudyRefused(f"{what} has at most {length_max} characters, not {len(text)}")


def check_title(text: str, what: str) -> None:
    """Raise `StudyRefused` for a title that is blank, too long, or has characters that no short text may have."""
    check_words(text, TITLE_MAX, what)
    if (fault := fault_of_line(what, text)) is not None:
        raise StudyRefused(fault)
