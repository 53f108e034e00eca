"""HTTP status and code of errors of clubs."""

from __future__ import annotations

from typing import Final

from api.accounts.club_profiles import ClubNameBlank, ClubNameTaken
from api.http.refusal_tables import Refusals
from domain.clubs import errors as clubs

REFUSALS: Final[Refusals] = {
    ClubNameBlank: (422, "club/name_blank"),
    ClubNameTaken: (409, "club/name_taken"),
    clubs.ClubRefused: (409, "club/refused"),
    clubs.NotOfClub: (403, "club/not_of_club"),
}
"""Error -> HTTP status and code."""
