"""The page of the tree of forks of a match."""

from __future__ import annotations

from typing import Final
from uuid import UUID

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath

from api.http.guards import Caller
from api.http.page_responses import PageRequest, render_page
from api.http.paging import Before, Limit
from api.matches.schemas import ForkShown
from api.matches.service import MatchService
from projections.platform.paging import LIMIT


class Branch(msgspec.Struct, frozen=True):
    """A line of the tree and its branches."""

    line: ForkShown
    branches: tuple[Branch, ...]


def build_tree(lines: tuple[ForkShown, ...], parent: UUID | None) -> tuple[Branch, ...]:
    """Return the branches below `parent` recursively; None: the root.

    Lines whose parent is not in `lines` are attached to the first line, which must be the root.
    """
    line_ids = {line.line for line in lines}
    return tuple(
        Branch(line, build_tree(lines, line.line))
        for line in lines
        if (line.parent if line.parent in line_ids else None if line.parent is None else lines[0].line) == parent
        and line.line != parent
    )


def oldest_first(lines: tuple[ForkShown, ...]) -> tuple[ForkShown, ...]:
    """Return the root, then the forks from oldest to latest."""
    return (*lines[:1], *reversed(lines[1:]))


@get("/tables/{match_id:uuid}/forks")
async def forks_page(
    request: PageRequest,
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    before: Before = None,
    limit: Limit = LIMIT,
) -> Response[str]:
    """Show the tree of forks that a match belongs to."""
    tree = await matches.reading.forks(match_id, caller, limit, before)
    match = await matches.reading.get(match_id)
    context = {
        "tree": build_tree(oldest_first(tree.lines), None),
        "match": match,
        "count": len(tree.lines),
        "next": tree.next,
        "limit": limit,
    }
    return render_page(request, "matches/forks.html", context)


HANDLERS: Final = (forks_page,)
