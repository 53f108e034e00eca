"""Declaration of the puzzles subject for the web process."""

from __future__ import annotations

from typing import Final

from api.http.subjects import Subject
from api.puzzles import pages

SUBJECT: Final = Subject("puzzles", pages=pages.HANDLERS)
