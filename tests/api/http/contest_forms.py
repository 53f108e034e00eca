"""The forms of plans, and of the pages that tournaments and leagues share, with their fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

CONTEST: Final = "/contests/{contest_id:uuid}"
NOBODY: Final = {"player": "nobody", "reason": "So"}
CONDITIONS: Final = {
    "conditions.ratings.0.title": "la_granja",
    "conditions.ratings.0.least": "1500",
    "conditions.ratings.0.most": "1400",
    "conditions.ratedMatches": "3",
    "conditions.clubs": "none",
    "conditions.leavingMax": "20",
    "conditions.countries": "ES",
}
JOIN: Final = {"password": "So"}
PLAN: Final = CONDITIONS | {
    "name": "Cup",
    "title": "la_granja",
    "size": "4",
    "smallest": "2",
    "leftover": "short",
    "format": "own",
    "rounds": "3",
    "advance": "1",
    "stages.0.kind": "swiss",
    "stages.0.rounds": "2",
    "stages.0.cut": "0",
    "stages.0.carry": "true",
    "measure": "points",
    "bye": "2",
    "points.4": "9 5",
    "tieBreaks": "wins",
    "registration": "open",
    "cap": "0",
    "clock": "none",
    "lateEntry": "true",
    "bot": "random",
    "text": "Hello",
    "options.deck": "nope",
}
LEAGUE: Final = {"name": "League", "title": "la_granja", "size": "3", "divisions": "1", "places": "7", "moving": "2"}
LEAGUE_REST: Final = {"roundDays": "14", "clock": "none", "atOnce": "true", "registration": "open", "text": "Hello"}
LEAGUE_MORE: Final = CONDITIONS | LEAGUE_REST

CONTESTS: Final[Mapping[str, Mapping[str, str]]] = {
    f"{CONTEST}/absences": NOBODY | {"rounds": "2", "periods.0.first": "2026-01-01", "periods.0.last": "2026-01-02"},
    f"{CONTEST}/absences/taking-back": NOBODY,
    f"{CONTEST}/alternates": JOIN,
    f"{CONTEST}/alternates/leaving": {},
    f"{CONTEST}/alternates/answer": {"place": "e1", "round": "2", "accept": "true"},
    f"{CONTEST}/alternates/list": NOBODY | {"strength": "3", "waive": "true"},
    f"{CONTEST}/alternates/removal": NOBODY,
    f"{CONTEST}/conditions": CONDITIONS | {"reason": "So"},
    f"{CONTEST}/conditions/password": {"password": "So", "reason": "So"},
    f"{CONTEST}/conditions/list": {"people": "nobody", "reason": "So"},
}
LISTS_OF_CONTESTS: Final = frozenset({"rounds", "conditions.countries"})
"""Fields that may be repeated."""
OF_CONTESTS: Final = frozenset({"conditions.ratings.0.title", "people"})
"""Fields that accept any text of limited length."""
