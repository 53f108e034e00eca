"""Forms for photos on the page of a table: add and remove."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, Router, post
from litestar.datastructures import UploadFile
from litestar.di import NamedDependency, Provide
from litestar.exceptions import HTTPException
from litestar.params import FromPath

from api.http.errors import problem_of
from api.http.form_faults import NEEDED, FieldFault
from api.http.form_pages import handle_form
from api.http.forms import FormRejected
from api.http.guards import requires_person
from api.http.page_responses import PageRequest, redirect_after_form, render_problem
from api.tournaments.images import BYTES_MAX
from api.tournaments.pages.claims import ADDRESS, show_table
from api.tournaments.pages.context import TournamentContext, provide_context
from api.tournaments.pages.forms import PHOTO, TAKE_AWAY, PhotoForm, TakeAwayPhoto
from api.tournaments.routes.photos import UPLOAD_BYTES_MAX
from domain.kernel.messages import Message
from domain.tournaments.errors import PhotoTooLarge

TOO_LARGE: Final = 413


def refuse_long(request: PageRequest, _: HTTPException) -> Response[str]:
    """Answer an upload that exceeds the size limit."""
    sentence = f"the file has more than {BYTES_MAX:,} bytes, which are taken at most"
    return render_problem(request, problem_of(PhotoTooLarge(sentence)))


def back_to_photos(room: TournamentContext, number: int, table: int) -> Response[Any]:
    """Redirect to the photos of a table."""
    return redirect_after_form(f"{room.path}/tables/{number}/{table}#photos", room.request)


@post(
    ADDRESS + "/photos",
    guards=[requires_person],
    request_max_body_size=UPLOAD_BYTES_MAX,
    exception_handlers={TOO_LARGE: refuse_long},
)
async def add_photo(
    room: NamedDependency[TournamentContext], number: FromPath[int], table: FromPath[int]
) -> Response[Any]:
    """Add a photo of the table, and redirect to the table's photos; raise `FormRejected` without a file."""

    async def do(wanted: PhotoForm) -> Response[Any]:
        content = await wanted.photo.read() if isinstance(wanted.photo, UploadFile) else b""
        if not content:
            raise FormRejected([FieldFault("photo", Message(NEEDED))])
        await room.tournaments.photos.add(room.id, number, table, content, wanted.caption, wanted.seen)
        return back_to_photos(room, number, table)

    return await handle_form(room.request, PHOTO, do, lambda: show_table(room, number, table))


@post(ADDRESS + "/photos/removal", guards=[requires_person])
async def remove_photo(
    room: NamedDependency[TournamentContext], number: FromPath[int], table: FromPath[int]
) -> Response[Any]:
    """Remove a photo as its uploader or an official, and redirect to the table's photos."""

    async def do(wanted: TakeAwayPhoto) -> Response[Any]:
        await room.tournaments.photos.remove(room.id, wanted.photo, wanted.reason)
        return back_to_photos(room, number, table)

    return await handle_form(room.request, TAKE_AWAY, do, lambda: show_table(room, number, table))


HANDLERS: Final[tuple[Any, ...]] = (
    Router(
        "/events/{event_id:uuid}",
        route_handlers=[add_photo, remove_photo],
        dependencies={"room": Provide(provide_context, sync_to_thread=False)},
    ),
)
