"""A walk over all forms of the pages: invalid input is rejected by field name and changes nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Final

import pytest
from litestar.routes import HTTPRoute
from litestar.testing import TestClient

from tests.api.http.circuit_forms import CIRCUIT_FORMS
from tests.api.http.contest_forms import CONTESTS, JOIN, LEAGUE, LEAGUE_MORE, LISTS_OF_CONTESTS, OF_CONTESTS, PLAN
from tests.api.http.forms import Walker
from tests.api.service import settings_in
from tests.seeding import IS_EXPLORING, derive_number
from tests.service_app import create_app

TABLE: Final = {"title": "la_granja", "seats": "2", "seat_2": "random", "clock": "none", "timeOut": "bot"}
TABLE_MORE: Final = {"takeBacks": "3", "pauses": "any", "leaving": "any", "private": "true", "ownLuck": "false"}
RANKING: Final = {
    "name": "Cup",
    "title": "la_granja",
    "seats": "2",
    "clock": "fast",
    "since": "2027-01",
    "until": "2027-02",
    "country": "ES",
    "club": "",
    "minimumMatches": "3",
    "inactiveMonths": "2",
    "bots": "true",
    "text": "So",
}
CLUB: Final = "/clubs/{club_id:uuid}"
CLUB_FIELDS: Final = {"name": "Els Amics", "about": "On Fridays", "admission": "open"}
FIXTURE: Final = {"group": "1", "round": "1", "table": "1", "scores": "3 1", "places": "1 2"}
TIME: Final = "2031-05-01T10:00"
DATES: Final = {"zone": "UTC", "place": "Palma", "fee": "-", "entryOpens": TIME, "entryCloses": "2031-05-02T10:00"}
DATES_MORE: Final = {
    "checkInOpens": TIME,
    "checkInCloses": TIME,
    "rounds.0.number": "1",
    "rounds.0.starts": "2031-05-03T10:00",
    "rounds.0.deadline": "2031-05-04T10:00",
    "breaks.0.starts": TIME,
    "breaks.0.ends": "2031-05-01T11:00",
    "breaks.0.name": "Lunch",
    "reminders": "60",
    "consequence": "lots",
    "extensionDays": "2",
    "organiserDays": "3",
    "reason": "So",
}
PLACE: Final = {"entry": "6", "variation": "0", "step": "0", "eyes": "all"}
RULING: Final = {"decision": "none", "version": "5", "scores": "1 2", "ranking": "2 1", "warned": "0", "points": "1"}
RULING_MORE: Final = {"pointsSeat": "0", "seconds": "1", "secondsSeat": "0", "rule": "2", "reasons": "So"}
ROUND: Final = {"round": "1"}
EVENT: Final = "/events/{event_id:uuid}"
DESK: Final = f"{EVENT}/desk"
MATCH: Final = "/tables/{match_id:uuid}"
LEAGUES: Final = "/leagues/{league_id:uuid}"
PRIZES: Final = {
    "places.0.number": "1",
    "places.0.amount": "100",
    "places.0.name": "Cup",
    "currency": "€",
    "split": "shared",
    "reason": "So",
}
STUDY: Final = "/studies/{study_id:uuid}"
DISPUTE: Final = "/disputes/{dispute_id:uuid}"
PLAYER: Final = {"player": "nobody"}
UNSUBSCRIBE: Final = "/unsubscribe/{token:str}"

FORMS: Final[Mapping[str, Mapping[str, str]]] = {
    "/appearance": {"theme": "dark"},
    "/preferences": {"sound": "turn"},
    "/language": {"language": "cs"},
    "/guest": {},
    "/sign-in": {"name": "Ann", "password": "wrong horse"},
    "/sign-up": {"name": "Ann", "password": "short"},
    "/sign-in/passkey/begin": {},
    "/sign-in/passkey": {"credential": "{}", "name": "Ann"},
    "/sign-in/provider": {},
    "/sign-in/name": {"name": "Ann"},
    "/sign-out": {},
    "/account/country": {"country": "QQ"},
    "/account/password": {"password": "wrong horse", "newPassword": "short"},
    "/account/password/first": {"newPassword": "short"},
    "/account/password/none": {"password": "wrong horse"},
    "/account/passkeys/begin": {},
    "/account/passkeys": {"credential": "{}", "label": "Key"},
    "/account/passkeys/remove": {"passkey": "none"},
    "/account/identities": {},
    "/account/identities/remove": {"identity": "none"},
    "/account/sessions/end": {"session": "none"},
    "/account/sign-out-everywhere": {},
    "/account/keys": {"key": "none"},
    "/account/keys/give-up": {"key": "none"},
    "/account/tokens": {"label": "Bot", "scopes": "read", "days": "30", "password": "wrong horse"},
    "/account/tokens/revoke": {"token": "none"},
    "/account/bot": {},
    "/account/erase": {"password": "wrong horse"},
    "/account/notifications": {"mail.turn": "hourly", "push.turn": "off"},
    "/account/notifications/address": {"address": "ann"},
    "/account/notifications/address/remove": {},
    "/account/notifications/devices": {"endpoint": "https://push.example/1", "p256dh": "none", "auth": "none"},
    "/account/notifications/devices/remove": {"device": "none"},
    "/account/mail/{token:str}": {},
    UNSUBSCRIBE: {"List-Unsubscribe": "One-Click"},
    "/account/people/boundaries": {"person": "nobody", "kind": "mute"},
    "/account/people/boundaries/lifting": {"person": "nobody"},
    "/account/people/following": {"person": "nobody", "there": "true"},
    "/account/people/following/end": {"person": "nobody", "there": "true"},
    "/players/{name:str}/challenges": {"title": "la_granja"},
    "/account/people/presence": {"visible": "true"},
    "/challenges/{challenge_id:uuid}/dropping": {},
    "/tables/{match_id:uuid}/challenges": {"person": "nobody"},
    "/talk/{kind:str}/{about_id:uuid}": {"words": "Hello", "phrase": "hello"},
    "/talk/{kind:str}/{about_id:uuid}/file": {},
    "/talk/messages/{message_id:str}/report": {"reason": "So"},
    "/talk/messages/{message_id:str}/removal": {"reason": "So"},
    "/talk/messages/{message_id:str}/dismissal": {},
    "/play": {"title": "la_granja", "bots": "1", "bot": "random", "ownLuck": "false", "options.deck": "nope"},
    "/learn/{title:str}/{name:str}": {"givenUp": "00000000-0000-0000-0000-000000000000"},
    "/puzzles/{puzzle_id:str}": {"choice": "0"},
    "/puzzles/{puzzle_id:str}/match": {},
    "/tables": TABLE | TABLE_MORE,
    "/quick": {"pool": "none", "ownLuck": "false"},
    "/quick/leave": {},
    "/events": PLAN,
    f"{EVENT}/plan": PLAN,
    f"{EVENT}/enter": JOIN,
    f"{EVENT}/leave": {"entry": "e1", "reason": "So"},
    f"{EVENT}/invitation": {"accept": "true", "entry": "e1", "round": "1"},
    f"{DESK}/take-back": {"person": "nobody"},
    f"{EVENT}/return": {"entry": "e1", "reason": "So"},
    f"{EVENT}/dates": DATES | DATES_MORE,
    f"{DESK}/prizes": PRIZES,
    f"{EVENT}/check-in": {"entry": "e1"},
    f"{EVENT}/tables/{{number:int}}/{{table:int}}": {
        "entry": "e1",
        "code": "0000",
        "scores": "3",
        "places": "1",
        "sure": "true",
    },
    f"{EVENT}/tables/{{number:int}}/{{table:int}}/photos": {"photo": "no upload", "caption": "So", "seen": "So"},
    f"{EVENT}/tables/{{number:int}}/{{table:int}}/photos/removal": {
        "photo": "00000000-0000-0000-0000-000000000000",
        "reason": "So",
    },
    f"{DESK}/code": {"entry": "e1", "reason": "So"},
    f"{EVENT}/check-in/undo": {"entry": "e1"},
    f"{DESK}/enter": {
        "person": "nobody",
        "bot": "",
        "count": "1",
        "name": "",
        "club": "",
        "family": "",
        "seeding": "1",
        "reason": "So",
    },
    f"{DESK}/invite": {"person": "nobody"},
    f"{DESK}/pairs": {"forbidden": "e1 e2", "wished": "e3 e4"},
    f"{DESK}/pairing": {"byes": "e1", "tables": "1", "again": "2"},
    f"{DESK}/swap": {"reason": "So", "sure": "e1 e2", "round": "1", "first": "e1", "second": "e2"},
    f"{DESK}/move": {"reason": "So", "sure": "e1 1", "round": "1", "entry": "e1", "table": "1"},
    f"{DESK}/publish": ROUND,
    f"{DESK}/close": ROUND,
    f"{DESK}/no-show": {"round": "1", "entry": "e1", "reason": "So", "bot": "true", "sure": "e1"},
    f"{DESK}/came": {"round": "1", "entry": "e1", "reason": "So"},
    f"{DESK}/substitute": {"reason": "So", "round": "1", "entry": "e1", "person": "nobody"},
    f"{DESK}/result": {
        "ruling": "true",
        "sure": "true",
        "round": "1",
        "table": "1",
        "scores": "3",
        "places": "1",
        "reason": "So",
    },
    f"{DESK}/penalty": {"entry": "e1", "points": "1", "reason": "So"},
    f"{DESK}/announce": {"text": "Hello", "since": TIME, "preview": "false"},
    f"{DESK}/slip": {"round": "1", "table": "1"},
    f"{DESK}/paste": {"text": "a\tb\tc\td\te"},
    f"{DESK}/import": {"what": "players", "text": "nothing"},
    "/leagues": LEAGUE | LEAGUE_MORE,
    **CIRCUIT_FORMS,
    "/rankings/lists": {"key": "cup", **RANKING},
    "/rankings/lists/{key:str}/rule": {**RANKING, "reason": "So", "expectedVersion": "0"},
    "/rankings/lists/{key:str}/retirement": {"retired": "true", "reason": "So"},
    "/clubs": CLUB_FIELDS,
    f"{CLUB}/membership": {"message": "Hello"},
    f"{CLUB}/leave": {},
    f"{CLUB}/invitation": {"accept": "true"},
    f"{CLUB}/desk/details": CLUB_FIELDS,
    f"{CLUB}/desk/invitations": {"person": "nobody"},
    f"{CLUB}/desk/invitations/taking-back": {"person": "nobody"},
    f"{CLUB}/desk/requests": {"person": "nobody", "accept": "true"},
    f"{CLUB}/desk/removals": {"person": "nobody", "reason": "So"},
    f"{CLUB}/desk/roles": {"person": "nobody", "role": "organiser"},
    f"{CLUB}/desk/owner": {"person": "nobody"},
    f"{CLUB}/desk/events": {"event": "none"},
    f"{CLUB}/desk/events/removal": {"event": "none"},
    f"{CLUB}/desk/closing": {},
    f"{LEAGUES}/enter": JOIN,
    f"{LEAGUES}/leave": {},
    f"{LEAGUES}/desk/season": {"name": "Winter"},
    f"{LEAGUES}/invitation": {"accept": "true"},
    f"{LEAGUES}/desk/invite": PLAYER,
    f"{LEAGUES}/desk/take-back": PLAYER,
    f"{LEAGUES}/desk/enter": PLAYER,
    f"{LEAGUES}/desk/leave": PLAYER | {"reason": "So"},
    f"{LEAGUES}/desk/import": {"text": "nothing"},
    f"{LEAGUES}/desk/draw": {},
    f"{LEAGUES}/desk/draw/swap": PLAYER | {"other": "b", "reason": "So"},
    f"{LEAGUES}/desk/draw/move": PLAYER | {"group": "1", "reason": "So"},
    f"{LEAGUES}/desk/round": {},
    f"{LEAGUES}/desk/deadline": {"round": "1", "deadline": "2999-01-31", "reason": "So"},
    f"{LEAGUES}/desk/substitute": {"group": "1", "out": "a", "player": "b", "fromRound": "1", "reason": "So"},
    f"{LEAGUES}/desk/ruling": FIXTURE | {"void": "true", "reason": "So"},
    f"{LEAGUES}/desk/result": FIXTURE | {"sure": "true", "reason": "So"},
    f"{LEAGUES}/desk/results": {"text": "nothing", "sure": "false", "reason": "So"},
    f"{LEAGUES}/desk/penalty": PLAYER | {"points": "1", "reason": "So"},
    f"{LEAGUES}/desk/prizes/{{division:int}}": PRIZES,
    f"{LEAGUES}/desk/close": {},
    f"{LEAGUES}/desk/announce": {"text": "Hello"},
    f"{MATCH}/act": {"version": "6", "action": '{"type": "la_granja.fly"}'},
    f"{MATCH}/sit": {"seat": "1", "ownLuck": "none"},
    f"{MATCH}/bot": {"seat": "1", "bot": "random"},
    f"{MATCH}/leave": {"seat": "1"},
    f"{MATCH}/close": {},
    f"{MATCH}/share": {"commitment": "none"},
    f"{MATCH}/ready": {"share": "a", "salt": "b"},
    f"{MATCH}/key": {"key": "none"},
    f"{MATCH}/unsigned": {},
    f"{MATCH}/pause": {},
    f"{MATCH}/withdraw-pause": {},
    f"{MATCH}/rematch": {"ownLuck": "false"},
    f"{MATCH}/resume": {},
    f"{MATCH}/resign": {},
    f"{MATCH}/hand-over": {},
    f"{MATCH}/take-back": {"version": "6"},
    f"{MATCH}/pass": {"seat": "0"},
    f"{MATCH}/sit-in": {"seat": "1"},
    f"{MATCH}/invitations": {},
    f"{MATCH}/invitations/taking-back": {"invitation": "none"},
    "/invitation": {"secret": "none"},
    f"{MATCH}/replay/fork": {"at": "6", "luck": "fresh", "seats.0": "me", "seats.1": "greedy"},
    f"{MATCH}/replay/study": {"study": "00000000-0000-0000-0000-000000000000", "at": "6"},
    f"{MATCH}/analysis": {},
    f"{MATCH}/typing": {},
    f"{MATCH}/hint": {},
    f"{MATCH}/hint/kept": {},
    f"{MATCH}/hint/fork": {},
    f"{MATCH}/analysis/study": {},
    f"{MATCH}/studies": {"title": "Mine", "visibility": "private", "at": "6"},
    f"{MATCH}/calls": {"words": "So"},
    f"{MATCH}/calls/withdrawal": {},
    f"{MATCH}/calls/presence": {"here": "true"},
    f"{MATCH}/calls/answer": {"words": "So"},
    f"{MATCH}/disputes": {"entry": "6", "reason": "So"},
    f"{STUDY}/settings": {"title": "Mine", "visibility": "private", "add": "nobody", "remove": "nobody"},
    f"{STUDY}/comments": PLACE | {"text": "Hello", "comment": "9"},
    f"{STUDY}/comments/removal": PLACE | {"number": "9"},
    f"{STUDY}/marks": PLACE | {"glyphs": "good", "shapes": "region-1>court"},
    f"{STUDY}/variations": PLACE | {"steps.0.action": '{"type": "la_granja.fly"}', "steps.0.seat": "0"},
    f"{STUDY}/variations/cut": PLACE | {"number": "9", "keep": "1"},
    f"{STUDY}/variations/promotion": PLACE | {"number": "9"},
    f"{STUDY}/chapters": PLACE | {"title": "The turn"},
    f"{STUDY}/presentation": PLACE | {"ended": "true"},
    "/studies/import": {"file": "no upload"},
    f"{DISPUTE}/arbiter": {},
    f"{DISPUTE}/hand-over": {"person": "nobody", "note": "So"},
    f"{DISPUTE}/withdrawal": {},
    f"{DISPUTE}/what-ifs": {"entry": "6", "seats.0": "random"},
    f"{DISPUTE}/rulings": RULING | RULING_MORE,
    f"{DISPUTE}/appeal": {"reason": "So"},
    f"{DISPUTE}/committee": {"members": "nobody", "reason": "So"},
    f"{DISPUTE}/motions": RULING | RULING_MORE,
    f"{DISPUTE}/votes": {"motion": "1", "reason": "So"},
    f"{DISPUTE}/decision": {"expectedVersion": "1"},
    "/disputes/committees/{event_id:uuid}": {"members": "nobody", "reason": "So"},
    **CONTESTS,
    "/account/calendar": {},
    "/account/calendar/removal": {},
    "/account/holidays": {"first": "2026-01-01", "last": "2026-01-02", "partly": "true"},
    "/account/holidays/end": {},
    "/desk/roles": {"person": "nobody", "role": "arbiter", "event": "cup", "granted": "true"},
    "/desk/audit/file": {},
}
READ: Final = [form for form in FORMS if form != UNSUBSCRIBE]
"""All forms without the form for mail programs, which may add fields (RFC 8058)."""

LISTS: Final = LISTS_OF_CONTESTS | {"scopes", "tieBreaks", "tables", "glyphs", "add", "remove", "scores", "places"}
"""Fields that may be repeated."""
TYPED: Final = frozenset({"name", "title", "club", "text", "reason", "reasons", "rule", "password", "shapes", "note"})
OF_OFFICIALS: Final = frozenset({"members", "words", "caption", "seen", "about", "message"})
OF_DATES: Final = frozenset({"place", "fee", "breaks.0.name", "places.0.name", "currency"})
HELD: Final = frozenset({"newPassword", "label", "session", "token", "credential", "passkey", "identity", "device"})
WORDS: Final = TYPED | OF_OFFICIALS | HELD | OF_DATES | OF_CONTESTS | {"options.deck", "file"}
"""Fields that accept any text of limited length."""


FIELDS: Final = 8
"""Number of fields per form in a plain run, sampled by the seed."""


def sample_fields(form: str) -> list[str]:
    fields = sorted(FORMS[form])
    return fields if IS_EXPLORING else Random(derive_number(form)).sample(fields, min(FIELDS, len(fields)))


@pytest.fixture(scope="module")
def walker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Walker]:
    folder: Path = tmp_path_factory.mktemp("walk")
    with TestClient(create_app(settings_in(folder))) as client:
        yield Walker(client)


def test_the_walk_covers_every_form(walker: Walker) -> None:
    paths = {
        route.path
        for route in walker.client.app.routes
        if isinstance(route, HTTPRoute) and "POST" in route.methods and not route.path.startswith("/api")
    }

    assert paths == FORMS.keys()


@pytest.mark.parametrize("form", READ)
def test_an_unknown_field_is_named(walker: Walker, form: str) -> None:
    before = walker.position()
    for name in ("wish", "wish.0.deep", "a" * 300, ".".join("abcdefghij")):
        status, page = walker.sends(form, {**FORMS[form], name: "1"})

        assert status == 400, page
        assert name[:20] in page
        assert "This form has no such field." in page
    assert walker.position() == before


@pytest.mark.parametrize("form", READ)
def test_a_repeated_field_is_named(walker: Walker, form: str) -> None:
    before = walker.position()
    for name in set(sample_fields(form)) - LISTS:
        status, page = walker.sends(form, {**FORMS[form], name: ["1", "2"]})

        assert status == 400, name
        assert f"{name}: This field was sent more than once." in page, name
    assert walker.position() == before


@pytest.mark.parametrize("form", READ)
def test_a_field_of_wrong_length_or_type_is_named_and_changes_nothing(walker: Walker, form: str) -> None:
    before = walker.position()
    for name in sample_fields(form):
        for wrong in ("9" * 20_000, "-" + "9" * 30, "½\x01<wrong>"):
            if name in WORDS and len(wrong) < 100:
                continue
            status, page = walker.sends(form, {**FORMS[form], name: wrong})

            assert 400 <= status < 500, (name, wrong[:40], status)
            is_told = f"{name}: " in page or re.search(f'name="{name}"[^>]* aria-invalid="true"', page)
            assert status != 400 or is_told, (name, wrong[:40])
        assert walker.position() == before, name
