"""API routes of ranking lists."""

from __future__ import annotations

from typing import Annotated, Final, Literal
from uuid import UUID

from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.response import Stream

from api.http.access import declare_access
from api.http.errors import problems
from api.http.guards import BY_ORGANISERS, requires_caller, requires_service
from api.http.limits import TEXT_BYTES_MAX
from api.http.paging import Before, Limit
from api.rankings import files
from api.rankings.errors import NoSuchList
from api.rankings.freezing import RankingDuties, provide_ranking_duties
from api.rankings.recounting import load_recount
from api.rankings.schemas import (
    CalibrationShown,
    ChangeRule,
    DefineList,
    LinesShown,
    ListHistoryShown,
    ListsShown,
    RankingListShown,
    RecountShown,
    RetireList,
    TakeRankingStep,
)
from api.rankings.service import RankingService, provide_rankings
from api.ratings.routes import find_player
from domain.rankings.content import ListLine
from projections.platform.paging import LIMIT

CHANGE: Final = problems(400, 401, 403, 404, 409, 413, 422, 429)
ListPart = Literal["", "placed", "provisional", "inactive"]
ClosedMonth = Annotated[
    str, QueryParameter(max_length=7, description="a closed month, such as 2026-11 (default: live)")
]
OnlyPart = Annotated[ListPart, QueryParameter(description="only this part of the live list")]
JSONL: Final = "application/jsonl"
RECOUNTS: Final = {"moved.csv": files.moved_parts, "changed.csv": files.changed_parts}
"""Files that compare a closed month with the results of today."""


@get("/rankings/lists", responses=problems(401))
async def list_lists(lists: NamedDependency[RankingService]) -> ListsShown:
    """List all ranking lists by key; standard lists exist for each title and table size."""
    return await lists.lists()


@declare_access("official", "organisers of the service")
@post(
    "/rankings/lists",
    guards=[requires_caller],
    opt=BY_ORGANISERS,
    responses=CHANGE,
    request_max_body_size=TEXT_BYTES_MAX,
)
async def define_list(data: JSONBody[DefineList], lists: NamedDependency[RankingService]) -> Response[RankingListShown]:
    """Define a list (201); the same request again returns the same list.

    Raise `RoleMissing` for others than organisers of the service, `RankingRefused` for a rule that contradicts itself
    or a key that is in use.
    """
    return Response(await lists.show(await lists.define(data.key, data.rule)), status_code=201)


@get("/rankings/lists/{key:str}", responses=problems(400, 401, 404))
async def get_list(key: FromPath[str], lists: NamedDependency[RankingService]) -> RankingListShown:
    """Return a list with the versions of its rule and its closed months; raise `NoSuchList` if it is unknown."""
    return await lists.show(await lists.find(key))


@declare_access("official", "organisers of the service")
@post(
    "/rankings/lists/{key:str}/rules",
    guards=[requires_caller],
    opt=BY_ORGANISERS,
    responses=CHANGE,
    status_code=200,
    request_max_body_size=TEXT_BYTES_MAX,
)
async def change_rule(
    key: FromPath[str], data: JSONBody[ChangeRule], lists: NamedDependency[RankingService]
) -> RankingListShown:
    """Change the rule of a list, from the next month that is closed on; closed months keep theirs.

    Raise `RoleMissing`, `NoSuchList`, `RankingRefused` without a reason or for a bad rule, `StaleVersion`.
    """
    return await lists.show(await lists.change_rule(key, data.rule, data.reason, data.expected_version))


@declare_access("official", "organisers of the service")
@post(
    "/rankings/lists/{key:str}/retirement",
    guards=[requires_caller],
    opt=BY_ORGANISERS,
    responses=CHANGE,
    status_code=200,
)
async def retire_list(
    key: FromPath[str], data: JSONBody[RetireList], lists: NamedDependency[RankingService]
) -> RankingListShown:
    """Close no further months of a list, or close them again; closed months stay.

    Raise `RoleMissing`, `NoSuchList`, `RankingRefused` without a reason or if the list is in this state.
    """
    return await lists.show(await lists.retire(key, data.reason, is_retired=data.retired))


@get("/rankings/lists/{key:str}/lines", responses=problems(400, 401, 404))
async def get_lines(
    key: FromPath[str],
    lists: NamedDependency[RankingService],
    month: ClosedMonth = "",
    part: OnlyPart = "",
    before: Before = None,
    limit: Limit = LIMIT,
) -> LinesShown:
    """Return lines of the live list or of a closed month, after the row `before`.

    Raise `NoSuchList` for an unknown list or a month that is not closed.
    """

    def selects(line: ListLine) -> bool:
        return part in {"", line.part}

    return await lists.lines(await lists.find(key), month, limit, before or 0, selects)


@get("/rankings/lists/{key:str}/files/{what:str}", responses=problems(400, 401, 404))
async def export_list(
    key: FromPath[str],
    what: FromPath[str],
    lists: NamedDependency[RankingService],
    month: ClosedMonth = "",
) -> Stream:
    """Export a list, live or of a closed month, as an attachment: "list.csv" or "list.json", with names.

    For a closed month also "list.jsonl" and "results.jsonl": the exact lines of the list, and of all results from which
    it was counted; their digests are in the facts of the list. And "moved.csv" and "changed.csv": who would move after
    later rulings and why, and the results that changed. Raise `NoSuchList` for another list, month or file.
    """
    kept = await lists.find(key)
    if month:
        kept.closing_of(month)
    headers = {"Content-Disposition": f'attachment; filename="{key}{"-" if month else ""}{month}-{what}"'}
    if month and what in RECOUNTS:
        return Stream(RECOUNTS[what](lists, kept, month), media_type="text/csv", headers=headers)
    if what == "list.csv":
        return Stream(files.csv_parts(lists, kept, month), media_type="text/csv", headers=headers)
    if what == "list.json":
        return Stream(files.json_parts(lists, kept, month), media_type="application/json", headers=headers)
    if month and what == "list.jsonl":
        closing = kept.closing_of(month)
        return Stream(files.exact_lines(lists, closing.list, closing.lines), media_type=JSONL, headers=headers)
    if month and what == "results.jsonl":
        return Stream(files.exact_results(lists, kept, kept.closing_of(month)), media_type=JSONL, headers=headers)
    raise NoSuchList(f"the list {key!r} has no file {what!r}")


@get("/rankings/lists/{key:str}/months/{month:str}/recount", responses=problems(400, 401, 404))
async def get_recount(
    key: FromPath[str],
    month: FromPath[str],
    lists: NamedDependency[RankingService],
    before: Before = None,
    limit: Limit = LIMIT,
) -> RecountShown:
    """Count a closed month again from the results of today, and return who would move and why.

    The closed month stays as it is. Raise `NoSuchList` for an unknown list or a month that is not closed.
    """
    return await load_recount(lists, await lists.find(key), month, limit, before or 0)


@get("/rankings/lists/{key:str}/players/{name:str}", responses=problems(400, 401, 404))
async def get_history(
    key: FromPath[str], name: FromPath[str], lists: NamedDependency[RankingService]
) -> ListHistoryShown:
    """Return a player in a list: the live line, explained, and the line of each closed month.

    Raise `NoSuchPerson` or `NoSuchList` for a player who is unknown or was never listed.
    """
    return await lists.history(await lists.find(key), await find_player(lists.accounts, name))


@get("/rankings/lists/{key:str}/calibration", responses=problems(400, 401, 404))
async def get_calibration(key: FromPath[str], lists: NamedDependency[RankingService]) -> CalibrationShown:
    """Return how well the ratings before a match predict its result; raise `NoSuchList` if the list is unknown."""
    return await lists.calibration(await lists.find(key))


@post("/rankings/steps/{list_id:uuid}", guards=[requires_service], responses=CHANGE)
async def take_step(
    list_id: FromPath[UUID], data: JSONBody[TakeRankingStep], duties: NamedDependency[RankingDuties]
) -> Response[None]:
    """Take a step that is due for a list, for the service's workers; 204.

    Raise `RankingRefused` if it is not due, `MonthNotReady` if results are not rated yet, `StaleVersion`.
    """
    await duties.take_step(list_id, data.step, data.expected_version)
    return Response(None, status_code=204)


ROUTER: Final = Router(
    "/",
    route_handlers=[
        list_lists,
        define_list,
        get_list,
        change_rule,
        retire_list,
        get_lines,
        export_list,
        get_recount,
        get_history,
        get_calibration,
        take_step,
    ],
    dependencies={
        "lists": Provide(provide_rankings, sync_to_thread=False),
        "duties": Provide(provide_ranking_duties, sync_to_thread=False),
    },
    tags=["ranking lists"],
)
