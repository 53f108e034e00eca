"""The refusals of all subjects, joined; an exception or a code that is declared twice fails the import."""

from __future__ import annotations

from typing import Final

from api.accounts import errors as accounts_errors
from api.analyses import errors as analyses_errors
from api.archive import errors as archive_errors
from api.disputes import errors as disputes_errors
from api.leagues import errors as leagues_errors
from api.lessons import errors as lessons_errors
from api.matches import errors as matches_errors
from api.notifications import errors as notifications_errors
from api.ratings import errors as ratings_errors
from api.roles import errors as roles_errors
from api.studies import errors as studies_errors
from api.talk import errors as talk_errors
from api.titles import errors as titles_errors
from api.tournaments import errors as tournaments_errors
from api.transparency import errors as transparency_errors
from api.web.errors import OWN_REFUSALS
from api.web.refusal_tables import Refusals, join_refusals

REFUSALS: Final[Refusals] = join_refusals(
    OWN_REFUSALS,
    accounts_errors.REFUSALS,
    analyses_errors.REFUSALS,
    archive_errors.REFUSALS,
    disputes_errors.REFUSALS,
    leagues_errors.REFUSALS,
    lessons_errors.REFUSALS,
    matches_errors.REFUSALS,
    notifications_errors.REFUSALS,
    ratings_errors.REFUSALS,
    roles_errors.REFUSALS,
    studies_errors.REFUSALS,
    talk_errors.REFUSALS,
    titles_errors.REFUSALS,
    tournaments_errors.REFUSALS,
    transparency_errors.REFUSALS,
)
"""The refusals that the service answers with."""
