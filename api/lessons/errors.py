"""HTTP status and code of lesson errors."""

from __future__ import annotations

from typing import Final

from api.http.refusal_tables import Refusals
from domain.lessons.errors import NoSuchLesson, NotInLesson

REFUSALS: Final[Refusals] = {
    NoSuchLesson: (404, "lesson/unknown"),
    NotInLesson: (409, "lesson/not_now"),
}
"""Error -> HTTP status and code."""
