"""The desk's routes together."""

from __future__ import annotations

from typing import Final

from litestar import Router

from api.routes import desk_disputes, desk_forks, desk_roles, desk_studies

ROUTER: Final = Router(
    "/", route_handlers=[desk_roles.ROUTER, desk_disputes.ROUTER, desk_forks.ROUTER, desk_studies.ROUTER]
)
