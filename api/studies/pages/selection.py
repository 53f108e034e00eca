"""The study that a reader has open next to a replay: chosen, created or imported last."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from litestar import Response

from api.http.page_responses import PageRequest

COOKIE: Final = "study"
"""Its value is MATCH.STUDY."""
SECONDS: Final = 30 * 24 * 3600


def chosen_study(request: PageRequest, match_id: UUID) -> UUID | None:
    """Return the study that the reader has open for this match, from the cookie; None if it names none."""
    match, _, study = request.cookies.get(COOKIE, "").partition(".")
    try:
        return UUID(study) if match == str(match_id) else None
    except ValueError:
        return None


def remember_study(answer: Response[Any], match_id: UUID, study: UUID | str) -> Response[Any]:
    """Remember this study as the reader's choice for its match, in a cookie; return the response.

    A text that is no id cancels the choice, so that the default study opens.
    """
    path = f"/tables/{match_id}"
    answer.set_cookie(COOKIE, f"{match_id}.{study}", max_age=SECONDS, httponly=True, samesite="lax", path=path)
    return answer
