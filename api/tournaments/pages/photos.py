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
    sentence = f"the file is larger than {BYTES_MAX:,} bytes"
    return render_problem(request, problem_of(PhotoTooLarge(sentence)))


def back_to_photos(page: TournamentContext, number: int, table: int) -> Response[Any]:
    """Redirect to the photos of a table."""
    return redirect_after_form(f"{page.path}/tables/{number}/{table}#photos", page.request)


@post(
    ADDRESS + "/photos",
    guards=[requires_person],
    request_max_body_size=UPLOAD_BYTES_MAX,
    exception_handlers={TOO_LARGE: refuse_long},
)
async def add_photo(
    page: NamedDependency[TournamentContext], number: FromPath[int], table: FromPath[int]
) -> Response[Any]:
    """Add a photo of the table, and redirect to the table's photos, or show the table with the fault.

    A file is required.
    """

    async def do(form: PhotoForm) -> Response[Any]:
        content = await form.photo.read() if isinstance(form.photo, UploadFile) else b""
        if not content:
            raise FormRejected([FieldFault("photo", Message(NEEDED))])
        await page.tournaments.photos.add(page.id, number, table, content, form.caption, form.seen)
        return back_to_photos(page, number, table)

    return await handle_form(page.request, PHOTO, do, lambda: show_table(page, number, table))


@post(ADDRESS + "/photos/removal", guards=[requires_person])
async def remove_photo(
    page: NamedDependency[TournamentContext], number: FromPath[int], table: FromPath[int]
) -> Response[Any]:
    """Remove a photo as its uploader, or as an official with a reason, and redirect to the table's photos."""

    async def do(form: TakeAwayPhoto) -> Response[Any]:
        await page.tournaments.photos.remove(page.id, form.photo, form.reason)
        return back_to_photos(page, number, table)

    return await handle_form(page.request, TAKE_AWAY, do, lambda: show_table(page, number, table))


HANDLERS: Final[tuple[Any, ...]] = (
    Router(
        "/events/{event_id:uuid}",
        route_handlers=[add_photo, remove_photo],
        dependencies={"page": Provide(provide_context, sync_to_thread=False)},
    ),
)
