"""Checks of texts in a study."""

from typing import Final

from domain.kernel.texts import fault_of_line
from domain.studies.errors import StudyRefused

TITLE_MAX: Final = 120


def check_words(text: str, most: int, what: str) -> None:
    """Reject a text that is empty or too long."""
    if not text.strip():
        raise StudyRefused(f"{what} is empty")
    if len(text) > most:
        raise StudyRefused(f"{what} has at most {most} characters, not {len(text)}")


def check_title(text: str, what: str) -> None:
    """Reject a title that is empty, too long or not one line."""
    check_words(text, TITLE_MAX, what)
    if (fault := fault_of_line(what, text)) is not None:
        raise StudyRefused(fault)
