"""The explorer panel of a replay: actions played at this position, with results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from api.archive.explorer import load_actions_at
from api.http.languages import language_of, use_language
from api.http.page_responses import PageRequest
from api.matches.pages.replay_position import ReplayPosition
from api.matches.service import MATCHES

CHOICES: Final = 8
"""Maximum number of choices in the panel, most frequent first."""


async def context(request: PageRequest, position: ReplayPosition) -> Mapping[str, Any] | None:
    """Return `moves` (opening moves) and `choices` (counted choices, at most `CHOICES`, most frequent first).

    None for running matches and variations, and if there is neither.
    """
    if not position.is_over or position.off is not None:
        return None
    matches = MATCHES.of(request)
    with use_language(language_of(request)):
        found = await load_actions_at(matches, position.match_id, position.version)
    choices = sorted(found.choices, key=lambda each: -sum(side.times for side in (each.people, each.bots) if side))
    known_choices = [each for each in choices if each.people or each.bots][:CHOICES]
    return {"moves": found.moves, "choices": known_choices} if known_choices or found.moves else None
