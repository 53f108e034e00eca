"""HTTP status and code of study errors."""

from __future__ import annotations

from typing import Final

from api.http.refusal_tables import Refusals
from domain.studies import errors as studies

REFUSALS: Final[Refusals] = {
    studies.IllegalVariation: (422, "variation/illegal"),
    studies.NotYourStudy: (403, "study/not_yours"),
    studies.StudyClosed: (403, "study/closed"),
    studies.StudyExists: (409, "study/exists"),
    studies.StudyRefused: (422, "study/refused"),
    studies.WrongMatch: (409, "study/wrong_match"),
}
"""Error -> HTTP status and code."""
