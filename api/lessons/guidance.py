"""Guidance of practice matches for API clients."""

from __future__ import annotations

from uuid import UUID

from api.http.guards import Caller
from api.http.languages import ENGLISH
from api.lessons.schemas import LessonSaid
from api.lessons.texts import texts_of
from api.matches.callers import own_seat
from api.matches.guidance import guidance_of
from api.matches.queries import describe_legal
from domain.eventstore.application import Matches


def load_guidance(matches: Matches, match_id: UUID, caller: Caller) -> LessonSaid:
    """Return the guidance for the caller's seat in English; empty if the match belongs to no lesson.

    Raise `NotSeated` or `NotHeld` if the caller has no seat.
    """
    match = matches.get(match_id)
    seat = own_seat(match, caller)
    guidance = guidance_of(matches, match)
    if guidance is None:
        return LessonSaid(match.id, match.version, match.head, "", None)
    texts = texts_of(guidance.lesson, ENGLISH)
    text = {"on": texts.lines.get(guidance.line, ""), "missed": texts.missed}.get(guidance.standing, texts.end)
    return LessonSaid(
        match.id,
        match.version,
        match.head,
        guidance.lesson.practice,
        guidance.standing,
        texts.answers.get(guidance.answer, "").strip(),
        text.strip(),
        guidance.points,
        tuple(each for each in describe_legal(match, seat) if guidance.is_sensible(each.action)),
    )
