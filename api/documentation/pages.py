"""Handlers of the documentation site: static files that `ops/docs` or the build of the wheel has written."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from litestar import Request, get
from litestar.response import Redirect
from litestar.static_files import create_static_files_router

from api.documentation.errors import NotBuilt
from api.http.inputs import SafeFileSystem
from api.http.static_files import CACHE_SHORT, COMPRESSION

ADDRESS: Final = "/docs"
FIRST_PAGE: Final = "index.html"
PACKAGED: Final = Path(__file__).parent / "site"
"""The site in a wheel."""
BUILT: Final = Path(__file__).parents[2] / "build" / "docs" / "site"
"""The site in a checkout, where `ops/docs` writes it."""


def is_built() -> bool:
    """Return whether there is a site to serve."""
    return any((folder / FIRST_PAGE).is_file() for folder in (PACKAGED, BUILT))


@get(ADDRESS, name="documentation root")
async def first_page() -> Redirect:
    """Redirect to the first page. Relative links would not work from an address without a slash at its end."""
    return Redirect(f"{ADDRESS}/{FIRST_PAGE}")


def require_site(_: Request[Any, Any, Any]) -> None:
    """Raise `NotBuilt` if there is no site."""
    if not is_built():
        raise NotBuilt("the documentation is not built; run ops/docs in the checkout of this server, then reload")


FILES: Final = create_static_files_router(
    ADDRESS,
    directories=[PACKAGED, BUILT],
    file_system=SafeFileSystem(),
    name="documentation",
    cache_control=CACHE_SHORT,
    middleware=[COMPRESSION],
    before_request=require_site,
)
HANDLERS: Final = (first_page, FILES)
