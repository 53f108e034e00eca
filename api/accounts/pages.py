"""Signing in and out: sessions in a cookie, guests, and making a guest's account last."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Final

from litestar import Response, get, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.params import FromQuery, URLEncodedBody
from litestar.response import Redirect

from api.accounts.people import People, Person
from api.settings import Settings
from api.web.browser import SEE_OTHER, Form, PageRequest, page
from api.web.guards import SESSION_COOKIE, Caller
from api.web.language import own_path
from api.web.limits import DOOR

COOKIE_DAYS: Final = 400
"""As long as browsers keep a cookie; when a session ends is for the store to say."""


class CredentialsForm(Form, frozen=True):
    name: str
    password: str


@get("/sign-in")
async def sign_in_page(request: PageRequest, back: FromQuery[str] = "") -> Response[str]:
    """The forms of signing in and signing up."""
    return page(request, "accounts/sign_in.html", {"back": own_path(back)})


@post("/sign-in", opt=DOOR, status_code=SEE_OTHER)
async def sign_in(
    data: URLEncodedBody[CredentialsForm],
    people: NamedDependency[People],
    settings: NamedDependency[Settings],
    hashing: NamedDependency[ThreadPoolExecutor],
    back: FromQuery[str] = "",
) -> Redirect:
    """A session for the person with this name and password."""
    loop = asyncio.get_running_loop()
    person = await loop.run_in_executor(hashing, people.check, data.name, data.password)
    return await signed_in(person, people, settings, own_path(back))


@post("/sign-up", opt=DOOR, status_code=SEE_OTHER)
async def sign_up(
    data: URLEncodedBody[CredentialsForm],
    caller: NamedDependency[Caller],
    people: NamedDependency[People],
    settings: NamedDependency[Settings],
    hashing: NamedDependency[ThreadPoolExecutor],
    back: FromQuery[str] = "",
) -> Redirect:
    """A new account; a guest's becomes a lasting one and keeps its seats."""
    loop, guest = asyncio.get_running_loop(), caller.person
    if guest is not None and guest.is_guest:
        person = await loop.run_in_executor(hashing, people.claim, guest, data.name, data.password)
    else:
        person = await loop.run_in_executor(hashing, people.create, data.name, data.password, datetime.now(UTC))
    return await signed_in(person, people, settings, own_path(back))


@post("/guest", opt=DOOR, status_code=SEE_OTHER)
async def come_in_as_guest(
    people: NamedDependency[People], settings: NamedDependency[Settings], back: FromQuery[str] = ""
) -> Redirect:
    """An account without a password, at one click."""
    guest = await asyncio.to_thread(people.create_guest, datetime.now(UTC))
    return await signed_in(guest, people, settings, own_path(back))


@post("/sign-out", status_code=SEE_OTHER)
async def sign_out(request: PageRequest, people: NamedDependency[People]) -> Redirect:
    """The end of the session."""
    await asyncio.to_thread(people.end_session, request.cookies.get(SESSION_COOKIE, ""))
    answer = Redirect("/", status_code=SEE_OTHER)
    answer.delete_cookie(SESSION_COOKIE)
    return answer


async def whoever(caller: Caller, people: People) -> tuple[Person, str | None]:
    """The person who asks; somebody unknown becomes a guest, with a session."""
    if caller.person is not None:
        return caller.person, None
    guest = await asyncio.to_thread(people.create_guest, datetime.now(UTC))
    return guest, await asyncio.to_thread(people.start_session, guest, datetime.now(UTC))


async def signed_in(person: Person, people: People, settings: Settings, path: str) -> Redirect:
    """Back to a page, with a new session."""
    secret = await asyncio.to_thread(people.start_session, person, datetime.now(UTC))
    return Redirect(path, status_code=SEE_OTHER, cookies=[session_cookie(secret, settings)])


def session_cookie(secret: str, settings: Settings) -> Cookie:
    return Cookie(
        key=SESSION_COOKIE,
        value=secret,
        max_age=int(timedelta(days=COOKIE_DAYS).total_seconds()),
        httponly=True,
        samesite="lax",
        secure=settings.secure_cookies,
    )


HANDLERS: Final = (sign_in_page, sign_in, sign_up, come_in_as_guest, sign_out)
