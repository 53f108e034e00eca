"""Declare the subject titles to the web process."""

from __future__ import annotations

from typing import Final

from api.http.subjects import Subject
from api.titles import cards, rules
from api.titles.errors import REFUSALS

SUBJECT: Final = Subject(
    "titles",
    refusals=REFUSALS,
    pages=(
        *cards.HANDLERS,
        *rules.HANDLERS,
    ),
)
