"""Processing time is linear in the size of a request, measured at half and full body limit."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, Final

import pytest
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from litestar.testing import TestClient
from litestar.types import ASGIApp
from msgspec import inspect

from api.http.form_bounds import FIELDS_MAX
from api.http.form_faults import FAULTS_MAX, is_list
from api.http.forms import Form, FormRejected, read_fields
from domain.leagues import facts as league_facts
from domain.leagues.invitation_facts import InvitationDeclined as LeagueInvitationDeclined
from domain.leagues.invitation_facts import InvitedTo, PlayerInvited
from domain.tournaments import facts
from domain.tournaments.invitation_facts import InvitationDeclined, PersonInvited
from ops.dev.bench.samples import Make, bodies, body_limits, with_lists
from tests.api.http.forms import Walker, forms
from tests.api.http.test_form_walk import READ
from tests.api.service import SERVICE_TOKEN, settings_in
from tests.call_counts import GROWTH_MAX, ThreadWork, growth
from tests.domain.leagues.test_leagues import Story as LeagueStory
from tests.domain.tournaments.building import BY, Story
from tests.seeding import one_in
from tests.service_app import create_app

ROOM: Final = 400
"""Bytes of a request besides its list."""
TRIES: Final = 3
BESIDE: Final = frozenset({"transparency"})
"""Threads that follow the log."""
BY_GUARDS: Final = {"caller/unknown", "caller/forbidden"}
"""Error codes raised before the body is read."""
COUNT_MAX: Final = 2_000
"""Maximum number of items; more would only take longer."""


def by_both_sockets(handle: ASGIApp) -> ASGIApp:
    """Let a request with the token of the service arrive on the private socket."""

    async def take(scope: Any, receive: Any, send: Any) -> None:
        if (b"authorization", f"Bearer {SERVICE_TOKEN}".encode()) in scope.get("headers", ()):
            scope["server"] = ("service.sock", None)
        await handle(scope, receive, send)

    return take


@pytest.fixture(scope="module")
def work() -> Iterator[ThreadWork]:
    """Count the calls of all threads that start later, including the thread of the event loop."""
    with ThreadWork(BESIDE) as counting:
        yield counting


@pytest.fixture(scope="module")
def walker(work: ThreadWork, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Walker]:
    app = create_app(settings_in(tmp_path_factory.mktemp("work")))
    app.asgi_handler = by_both_sockets(app.asgi_handler)
    with TestClient(app) as client:
        yield Walker(client)


def grows(work: ThreadWork, send: Callable[[int], Any], count: int) -> float:
    """Return the ratio of work for twice the items, the minimum of some tries because other work runs in parallel."""

    def least(number: int) -> int:
        found = []
        for _ in range(TRIES):
            with work.count_calls() as counted:
                response = send(number)
            assert response.status_code < 500, response.text
            found.append(counted.calls)
        return min(found)

    return least(2 * count) / least(count)


def send_json(walker: Walker, method: str, address: str, make: Make, count: int) -> Any:
    """Send a list as the first caller with access to the operation."""
    wanted = make(count)
    for token in (walker.olga.token, SERVICE_TOKEN, walker.ann.token):
        headers = {"Authorization": f"Bearer {token}"}
        response = walker.client.request(method, address, json=wanted, headers=headers)
        if not (response.status_code in {401, 403} and response.json()["code"] in BY_GUARDS):
            return response
    raise AssertionError(f"{method} {address} is open to nobody here: {response.text}")


def test_every_operation_with_lists_takes_linear_time(walker: Walker, work: ThreadWork) -> None:
    limits, slow, form_count = body_limits(walker.client.app), dict[str, float](), 0
    for method, path, kind in bodies(walker.client.app):
        address = re.sub(r"\{(\w+)\}", lambda parameter: walker.ids.get(parameter[1], "1"), path)
        unknown: tuple[str, int | None, Make] = "", None, lambda count: {f"k{each}": 1 for each in range(count)}
        for way, most, make in (unknown, *with_lists(inspect.type_info(kind))):
            size = max(1, (len(json.dumps(make(20))) - len(json.dumps(make(10)))) // 10)
            count = min((limits[method, path] - ROOM) // size, most or COUNT_MAX, COUNT_MAX) // 2
            if count < 20:
                continue  # A list of a few items cannot grow.
            form_count += 1

            times = grows(work, partial(send_json, walker, method, address, make), count)
            slow |= {f"{method} {path} {way}": times} if times > GROWTH_MAX else {}

    assert form_count > 100
    assert slow == {}


def read_many(form: Form[Any], field: str, count: int) -> None:
    """Parse a form with many fields; `{}` in the name is replaced by a number."""
    fields = dict[str, list[Any]]()
    for number in range(count):
        fields.setdefault(field.format(number), []).append("1")
    with suppress(FormRejected, RequestEntityTooLarge):
        read_fields(fields, form)


def read_typed(form: Form[Any], field: str, item: str, count: int) -> None:
    """Parse a form with a list typed into one field."""
    with suppress(FormRejected):
        read_fields({field: [item * count]}, form)


def lists_of(form: Form[Any]) -> Iterator[str]:
    """Yield the names of the lists in a form's struct."""
    shape = form.shape
    assert isinstance(shape, inspect.StructType)
    for each in shape.fields:
        kinds = each.type.types if isinstance(each.type, inspect.UnionType) else (each.type,)
        if any(is_list(kind.type if isinstance(kind, inspect.Metadata) else kind) for kind in kinds):
            yield each.encode_name


def test_every_form_is_parsed_in_linear_time() -> None:
    slow, form_count = dict[str, float](), 0
    for form in forms():
        ways = {"wish": "wish{}", "nested": "wish.{}.a"}
        for name in lists_of(form):
            ways |= {f"{name} repeated": name, f"{name} numbered": f"{name}.{{}}", f"{name} deeper": f"{name}.{{}}.a"}
        for way, field in ways.items():
            form_count += 1
            times = growth(partial(read_many, form, field), min(FIELDS_MAX, form.fields_max + FAULTS_MAX) // 2)
            slow |= {f"{form.kind.__name__} {way}": times} if times > GROWTH_MAX else {}
        for name in form.words | form.lines:
            for item in ("a1 ", "a1 b2\n", "a1,"):
                times = growth(partial(read_typed, form, name, item), COUNT_MAX)
                slow |= {f"{form.kind.__name__} {name} typed {item!r}": times} if times > GROWTH_MAX else {}

    assert form_count > 300
    assert slow == {}


@pytest.mark.parametrize("form", one_in(3, READ, "long forms"))
def test_every_page_handles_a_long_form_in_linear_time(walker: Walker, work: ThreadWork, form: str) -> None:
    path = re.sub(r"\{(\w+):\w+\}", lambda parameter: walker.ids[parameter[1]], form)

    def send(count: int) -> Any:
        fields = {"_csrf_token": walker.token} | {f"wish{each}": "1" for each in range(count)}
        return walker.client.post(path, data=fields, follow_redirects=False)

    assert grows(work, send, FIELDS_MAX // 2) <= GROWTH_MAX


def fold_of_tournament(count: int) -> None:
    """Invite accounts to a tournament; half accept, half decline."""
    story = Story(size=2)
    people = [f"p{number}" for number in range(count)]
    story.take(*(PersonInvited(BY, person, enters=True) for person in people))
    story.take(*(facts.EntryMade(person, f"e{number}", person) for number, person in enumerate(people[::2], start=1)))
    story.take(*(InvitationDeclined(person, person) for person in people[1::2]))


def fold_of_league(count: int) -> None:
    """Invite accounts to a league season; half accept, half decline."""
    story, to = LeagueStory(), InvitedTo(1)
    people = [f"p{number}" for number in range(count)]
    story.adds(league_facts.SeasonOpened("org", "One"))
    story.adds(*(PlayerInvited("org", person, to) for person in people))
    story.adds(*(league_facts.PlayerEntered(person, person, 0) for person in people[::2]))
    story.adds(*(LeagueInvitationDeclined(person, person, to) for person in people[1::2]))


@pytest.mark.parametrize("fold", [fold_of_tournament, fold_of_league])
def test_invitations_are_folded_in_linear_time(fold: Callable[[int], None]) -> None:
    assert growth(fold, 200) <= GROWTH_MAX
