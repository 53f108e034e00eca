"""The explorer panel of a replay: actions played at this position, with results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from api.archive.exploring import played_here
from api.http.browser import PageRequest
from api.http.languages import language_of, speaking
from api.matches.pages.replay_place import ReplayPlace
from api.matches.service import MATCHES

CHOICES: Final = 8
"""Maximum number of choices in the panel, most frequent first."""


async def context(request: PageRequest, place: ReplayPlace) -> Mapping[str, Any] | None:
    """Return the context; None for running matches and variations, and without counts."""
    if not place.is_over or place.off is not None:
        return None
    matches = MATCHES.of(request)
    with speaking(language_of(request)):
        found = await played_here(matches, place.match_id, place.version)
    choices = sorted(found.choices, key=lambda each: -sum(side.times for side in (each.people, each.bots) if side))
    known = [each for each in choices if each.people or each.bots][:CHOICES]
    return {"moves": found.moves, "choices": known} if known or found.moves else None
