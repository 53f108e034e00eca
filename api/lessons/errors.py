"""Refusals of lessons on the wire."""

from __future__ import annotations

from typing import Final

from api.http.refusal_tables import Refusals
from domain.lessons.errors import NoSuchLesson, NotInLesson

REFUSALS: Final[Refusals] = {
    NoSuchLesson: (404, "lesson/unknown"),
    NotInLesson: (409, "lesson/not_now"),
}
"""The status and the code on the wire for each refusal."""
