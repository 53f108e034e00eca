"""HTTP status and code of role errors."""

from __future__ import annotations

from typing import Final

from api.http.refusal_tables import Refusals
from domain.roles import errors as roles

REFUSALS: Final[Refusals] = {
    roles.ConflictOfInterest: (403, "role/plays"),
    roles.NoSuchPerson: (404, "person/unknown"),
    roles.RatedWithoutOrganiser: (403, "rated/not_organiser"),
    roles.RoleMissing: (403, "role/missing"),
    roles.RoleRefused: (403, "role/refused"),
}
"""Error -> HTTP status and code."""
