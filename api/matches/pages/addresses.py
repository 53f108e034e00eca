"""Table addresses and redirects."""

from __future__ import annotations

from uuid import UUID

from litestar.response import Redirect

from api.accounts.pages.signing_in import session_cookie
from api.http.page_responses import SEE_OTHER
from projections.platform.settings import Settings


def table_path(match_id: UUID) -> str:
    """Return the path of a table's page."""
    return f"/tables/{match_id}"


def redirect_to_table(match_id: UUID, session: str | None, settings: Settings) -> Redirect:
    """Redirect to a table, with the session cookie of a new guest."""
    cookies = [session_cookie(session, settings)] if session else []
    return Redirect(table_path(match_id), status_code=SEE_OTHER, cookies=cookies)
