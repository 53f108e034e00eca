"""HTTP status and code of tournament errors."""

from __future__ import annotations

from typing import Final

from api.http.refusal_tables import Refusals
from domain.contests.errors import PlanRefused
from domain.standings.errors import ImportRefused, PlacesContradict, WrongResult
from domain.tournaments import errors as tournaments

REFUSALS: Final[Refusals] = {
    tournaments.EnteredAlready: (409, "tournament/entered_already"),
    tournaments.TournamentRefused: (409, "tournament/refused"),
    ImportRefused: (422, "tournament/import_refused"),
    tournaments.NoSuchEntry: (404, "tournament/entry_unknown"),
    tournaments.NoSuchRound: (404, "tournament/round_unknown"),
    PlanRefused: (422, "tournament/plan_refused"),
    tournaments.WrongCode: (403, "tournament/wrong_code"),
    tournaments.CodeLocked: (429, "tournament/code_locked"),
    tournaments.PhotoUnreadable: (422, "photo/unreadable"),
    tournaments.PhotoTooLarge: (413, "photo/too_large"),
    tournaments.PhotoRefused: (409, "photo/refused"),
    tournaments.NotYourPhoto: (403, "photo/not_yours"),
    tournaments.NoSuchPhoto: (404, "photo/unknown"),
    WrongResult: (422, "tournament/wrong_result"),
    PlacesContradict: (422, "tournament/places_contradict"),
}
"""Error -> HTTP status and code."""
