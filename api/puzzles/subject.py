"""Declare the subject puzzles to the web process."""

from __future__ import annotations

from typing import Final

from api.puzzles import pages
from api.web.subjects import Subject

SUBJECT: Final = Subject("puzzles", pages=pages.HANDLERS)
