"""A service with content for every page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from time import monotonic
from typing import Any, Final
from uuid import UUID

import msgspec
from litestar.routes import HTTPRoute

from api import pages as site
from api.accounts.people import People
from api.contests.calendars import ICALENDAR
from api.http.qr import QR_TYPE
from api.notifications.tokens import SECRET, Tokens
from domain.analyses.report import VERSION, Budget, analysis_of, pieces_of
from domain.matches.apply import fold
from domain.matches.log.log_files import read_log
from domain.puzzles.puzzle_file import load_puzzles
from domain.titles import TITLES
from projections.analyses import Analyses
from projections.platform.settings import ANALYSES_FILE, PEOPLE_FILE
from tests.pages.circuit_content import create_circuits
from tests.workers.serving import DEADLINE_SECONDS, Client, Serving
from workers.analyses.matches import analyse_piece
from workers.bots.evaluation import load_evaluations

GOLDEN: Final = Path("tests/golden")
STREAM: Final = "text/event-stream"
WORDS: Final = "text/plain"
"""A plain text that a page requests and displays."""

ADDRESSES: Final[Mapping[str, tuple[str, ...]]] = {
    "/": ("/",),
    "/account": ("/account",),
    "/archive": ("/archive?title=la_granja&who=bots", "/archive?player=Nobody"),
    "/account/mail/{token:str}": ("/account/mail/{confirming}",),
    "/account/notifications": ("/account/notifications",),
    "/account/people": ("/account/people",),
    "/account/calendar": ("/account/calendar",),
    "/account/holidays": ("/account/holidays",),
    "/cards/{title:str}": ("/cards/la_granja", "/cards/el_grande"),
    "/circuits": ("/circuits",),
    "/circuits/{circuit_id:uuid}": ("/circuits/{circuit}", "/circuits/{formula}"),
    "/circuits/{circuit_id:uuid}/plan": ("/circuits/{circuit}/plan", "/circuits/{formula}/plan"),
    "/circuits/{circuit_id:uuid}/record": ("/circuits/{circuit}/record",),
    "/clubs": ("/clubs",),
    "/clubs/{club_id:uuid}": ("/clubs/{club}",),
    "/clubs/{club_id:uuid}/desk": ("/clubs/{club}/desk",),
    "/contests/{contest_id:uuid}/absences": ("/contests/{event}/absences?player=e1", "/contests/{league}/absences"),
    "/contests/{contest_id:uuid}/conditions": (
        "/contests/{announced}/conditions",
        "/contests/{league}/conditions",
    ),
    "/contests/{contest_id:uuid}/alternates": ("/contests/{event}/alternates", "/contests/{league}/alternates"),
    "/desk": ("/desk",),
    "/desk/audit": ("/desk/audit",),
    "/desk/integrity": ("/desk/integrity", "/desk/integrity?event={event}"),
    "/desk/integrity/people/{name:str}": ("/desk/integrity/people/{plaintiff}",),
    "/desk/integrity/tables/{match_id:uuid}": ("/desk/integrity/tables/{grande}",),
    "/desk/roles": ("/desk/roles",),
    "/disputes": ("/disputes",),
    "/disputes/{dispute_id:uuid}": ("/disputes/{dispute}", "/disputes/{dispute}?look=true&eyes=1", "/disputes/{ruled}"),
    "/disputes/committees/{event_id:uuid}": ("/disputes/committees/{event}",),
    "/disputes/precedents": ("/disputes/precedents",),
    "/disputes/queue": ("/disputes/queue",),
    "/disputes/statistics": ("/disputes/statistics",),
    "/events": ("/events",),
    "/events/new": ("/events/new",),
    "/events/{event_id:uuid}": ("/events/{event}", "/events/{announced}", "/events/{counted}"),
    "/events/{event_id:uuid}/crosstable": ("/events/{event}/crosstable",),
    "/events/{event_id:uuid}/archive": ("/events/{event}/archive",),
    "/events/{event_id:uuid}/desk/prizes": ("/events/{event}/desk/prizes",),
    "/events/{event_id:uuid}/dates": ("/events/{event}/dates",),
    "/events/{event_id:uuid}/schedule": ("/events/{event}/schedule", "/events/{event}/schedule?entry=e1"),
    "/events/{event_id:uuid}/desk": ("/events/{event}/desk", "/events/{announced}/desk", "/events/{byhand}/desk"),
    "/events/{event_id:uuid}/desk/people": ("/events/{event}/desk/people",),
    "/events/{event_id:uuid}/desk/seating": (
        "/events/{event}/desk/seating?first=e1&second=e4",
        "/events/{byhand}/desk/seating?first=e1",
    ),
    "/events/{event_id:uuid}/desk/tables/{number:int}": ("/events/{byhand}/desk/tables/1",),
    "/events/{event_id:uuid}/desk/word": ("/events/{event}/desk/word",),
    "/events/{event_id:uuid}/desk/print": ("/events/{byhand}/desk/print",),
    "/events/{event_id:uuid}/desk/print/{sheet:str}": tuple(
        f"/events/{{byhand}}/desk/print/{sheet}" for sheet in ("tables", "slips", "codes", "cards", "wall")
    ),
    "/events/{event_id:uuid}/report": ("/events/{event}/report",),
    "/events/{event_id:uuid}/screen": ("/events/{byhand}/screen",),
    "/events/{event_id:uuid}/tables/{number:int}/{table:int}": ("/events/{byhand}/tables/1/1",),
    "/events/{event_id:uuid}/people": ("/events/{event}/people",),
    "/events/{event_id:uuid}/plan": ("/events/{announced}/plan",),
    "/events/{event_id:uuid}/record": ("/events/{event}/record",),
    "/events/{event_id:uuid}/standings": ("/events/{event}/standings",),
    "/explorer": ("/explorer",),
    "/explorer/{title:str}": ("/explorer/el_grande",),
    "/explorer/{title:str}/openings": ("/explorer/el_grande/openings",),
    "/invitation": ("/invitation",),
    "/learn": ("/learn",),
    "/leagues": ("/leagues",),
    "/leagues/{league_id:uuid}": ("/leagues/{league}",),
    "/leagues/{league_id:uuid}/desk/prizes/{division:int}": ("/leagues/{league}/desk/prizes/1",),
    "/leagues/{league_id:uuid}/record": ("/leagues/{league}/record",),
    "/leagues/{league_id:uuid}/seasons/{number:int}": ("/leagues/{league}/seasons/1",),
    "/leagues/{league_id:uuid}/seasons/{number:int}/print/{sheet:str}": tuple(
        f"/leagues/{{league}}/seasons/1/print/{sheet}" for sheet in ("tables", "slips", "cards", "wall")
    ),
    "/offline": ("/offline",),
    "/open/{title:str}": ("/open/la_granja", "/open/el_grande"),
    "/players/{name:str}": ("/players/bot:greedy@1",),
    "/preferences": ("/preferences",),
    "/puzzles": ("/puzzles",),
    "/puzzles/{puzzle_id:str}": ("/puzzles/{puzzle}",),
    "/quick": ("/quick",),
    "/rankings": ("/rankings",),
    "/rankings/{title:str}/{seats:int}": ("/rankings/la_granja/2", "/rankings/el_grande/3"),
    "/rankings/lists": ("/rankings/lists",),
    "/rankings/lists/{key:str}": (
        "/rankings/lists/{ranked}",
        "/rankings/lists/{ranked}?month={month}",
        "/rankings/lists/la-granja-2",
    ),
    "/rankings/lists/{key:str}/calibration": ("/rankings/lists/{ranked}/calibration",),
    "/rankings/lists/{key:str}/months/{month:str}": ("/rankings/lists/{ranked}/months/{month}",),
    "/rankings/lists/{key:str}/players/{name:str}": (
        "/rankings/lists/{ranked}/players/{listed}",
        "/rankings/lists/{ranked}/players/{unlisted}",
    ),
    "/rankings/lists/{key:str}/rule": ("/rankings/lists/la-granja-2/rule",),
    "/rules": ("/rules",),
    "/rules/{title:str}": ("/rules/la_granja", "/rules/el_grande"),
    "/rules/{title:str}/{option:str}/{value:str}": ("/rules/la_granja/edition/original",),
    "/sign-in": ("/sign-in",),
    "/sign-in/name": ("/sign-in/name",),
    "/sign-in/return": ("/sign-in/return",),
    "/studies": ("/studies",),
    "/studies/{study_id:uuid}": ("/studies/{study}",),
    "/studies/{study_id:uuid}/place": ("/studies/{study}/place?entry=40", "/studies/{of_granja}/place?entry=40"),
    "/tables": ("/tables", "/tables?status=ended"),
    "/tables/{match_id:uuid}/analysis/{entry:int}": ("/tables/{grande}/analysis/{slip}?step=1",),
    "/tables/{match_id:uuid}": ("/tables/{waiting}", "/tables/{grande}", "/tables/{granja}"),
    "/tables/{match_id:uuid}/challenges": ("/tables/{waiting}/challenges",),
    "/tables/{match_id:uuid}/forks": ("/tables/{grande}/forks",),
    "/tables/{match_id:uuid}/invitations": ("/tables/{private}/invitations",),
    "/tables/{match_id:uuid}/replay": ("/tables/{grande}/replay?at=60&seat=1", "/tables/{granja}/replay?at=40&seat=0"),
    "/tables/{match_id:uuid}/studies": ("/tables/{grande}/studies",),
    "/talk/messages/{message_id:str}": ("/talk/messages/{message}",),
    "/talk/{kind:str}/{about_id:uuid}": ("/talk/spectators/{grande}", "/talk/entrants/{event}"),
    "/transparency": ("/transparency",),
    "/account/keys": ("/account/keys",),
    "/unsubscribe/{token:str}": ("/unsubscribe/{unsubscribing}",),
    "/verify": ("/verify", "/verify?match={grande}"),
}
"""Every route that returns a page, with addresses that show content; placeholders are keys of `content_ids`.

A new page needs a line here: `test_axe` fails without it.
"""

FILES: Final = frozenset({"/studies/{study_id:uuid}/report", "/verify/{language:str}/esporles-verify.html"})
"""Downloads."""

PIECES: Final = frozenset(
    {
        "/turns",
        "/tables/{match_id:uuid}/after",
        "/tables/{match_id:uuid}/ahead",
        "/tables/{match_id:uuid}/analysis",
        "/tables/{match_id:uuid}/hint",
        "/rules/{title:str}/{anchor:str}",
        "/cards/{title:str}/{thing:str}",
    }
)
"""Fragments that pages request and insert."""

NOT_THERE: Final = "/no-such-page"


DOCUMENTATION: Final = {"/docs", "/docs/{file_path:path}"}
"""The routes of the built documentation (`tests/pages/test_documentation.py`)."""


def page_routes() -> set[str]:
    """Return the paths of all pages."""
    routes = (route for route in site.ROUTER.routes if isinstance(route, HTTPRoute))
    return (
        {
            route.path
            for route in routes
            for handler in route.route_handlers
            if "GET" in handler.http_methods and handler.media_type not in {STREAM, WORDS, QR_TYPE, ICALENDAR}
        }
        - FILES
        - PIECES
        - DOCUMENTATION
    )


def addresses() -> list[str]:
    """Return all addresses, with their placeholders."""
    return [NOT_THERE, *(address for paths in ADDRESSES.values() for address in paths)]


def until(client: Client, path: str, condition: Callable[[Any], bool]) -> Any:
    """Poll until projections and workers have caught up."""
    deadline = monotonic() + DEADLINE_SECONDS
    while not condition(response := client.get(path)):
        assert monotonic() < deadline, f"{path} never became what was waited for; it says {response}"
    return response


def create_content(
    service: Serving, data_folder: Path, operator: Client, import_match: Callable[[str], str]
) -> dict[str, str]:
    """Create matches, studies, disputes, tournaments, a league and circuits; return their ids by placeholder."""
    grande, granja = import_match("el_grande-2-eager-0"), import_match("la_granja-2-eager-12")
    operator.post(f"/matches/{grande}/forks", {"at": 40})
    service.player().post("/lessons/la_granja/market", {})
    waiting = operator.post("/matches", {"title": "el_grande", "seats": 3, "table": {"public": True}})["matchId"]
    operator.post(f"/matches/{waiting}/seats", {"seat": 0})
    private = operator.post("/matches", {"title": "la_granja", "seats": 2, "table": {"public": False}})["matchId"]
    operator.post(f"/matches/{private}/invitations", {})
    ids = {"grande": grande, "granja": granja, "waiting": waiting, "private": private}
    ids |= {"slip": store_analysis(data_folder, grande), "puzzle": load_puzzles().puzzles[0].id}
    ids |= {"study": study_of(operator, grande), "of_granja": study_of(operator, granja)}
    ids |= links_of(service)
    ids |= create_disputes(service, operator) | tournaments(operator) | {"league": league_of(operator)}
    ids |= {"club": create_club(service, operator, ids["event"], ids["league"])}
    ids |= create_circuits(service, operator, ids["league"], until)
    return ids | {"message": create_talk(service, operator, grande, ids["event"])}


def create_club(service: Serving, owner: Client, event: str, league: str) -> str:
    """Found a club with a member, a request, an invitation, a tournament and a league."""
    wanted = {"name": "Palma", "about": "¡Olé!", "admission": "open"}
    club = owner.post("/clubs", wanted)["id"]
    service.player().post(f"/clubs/{club}/membership", {})
    status, response = owner.ask("PATCH", f"/clubs/{club}", {"admission": "request"})
    assert status == 200, response
    asking, invited = service.player(), service.player()
    asking.post(f"/clubs/{club}/membership", {"message": "¿?"})
    owner.post(f"/clubs/{club}/invitations", {"person": invited.get("/me")["person"]["id"]})
    for each in (event, league):
        put(owner, f"/clubs/{club}/events/{each}", None)
    until(owner, f"/clubs/{club}/events", lambda response: bool(response["events"]))
    return str(club)


def create_talk(service: Serving, official: Client, match_id: str, event: str) -> str:
    """Post messages at a match and in a tournament; report one, remove another, and return the reported one's id."""
    official.post(f"/talk/spectators/{match_id}", {"words": "¿? @Ramon"})
    official.post(f"/talk/entrants/{event}", {"phrase": "good_game"})
    reported, removed = (
        str(service.player().post(f"/talk/spectators/{match_id}", {"words": words})["id"]) for words in ("¡!", "¡¡!!")
    )
    service.player().post(f"/talk/messages/{reported}/reports", {"reason": "¿?"})
    official.post(f"/talk/messages/{removed}/removal", {"reason": "¡!"})
    return reported


def links_of(service: Serving) -> dict[str, str]:
    """Return mail links of a deleted account."""
    with closing(People(Path(service.started.data) / PEOPLE_FILE)) as people:
        tokens = Tokens(people.secret(SECRET))
    return {
        "confirming": tokens.make("confirm", "gone", "gone"),
        "unsubscribing": tokens.make("unsubscribe", "gone", "turn"),
    }


def store_analysis(folder: Path, match_id: str) -> str:
    """Store an analysis of a few decisions; return the entry of a decision that has a better line."""
    entries = read_log(GOLDEN / "el_grande-2-eager-0.jsonl").entries
    match, budget = fold(TITLES, entries), Budget(tries=300, width=3, draws=0)
    pieces = [analyse_piece(TITLES, load_evaluations(TITLES), entries, first, first + 3, budget) for first in (40, 60)]
    document = msgspec.json.encode(analysis_of(match, len(entries), pieces, budget))
    with closing(Analyses(folder / ANALYSES_FILE)) as analyses:
        analyses.ask(UUID(match_id), match.head, VERSION, pieces_of(len(entries)))
        analyses.finish(UUID(match_id), match.head, document)
    return str(next(each.entry for piece in pieces for each in piece.decisions if each.line))


def study_of(author: Client, match_id: str) -> str:
    """Create a study with a comment and marks."""
    study = author.post(f"/matches/{match_id}/annotations", {"title": "Olé", "visibility": "public"})["id"]
    author.post(f"/studies/{study}/comments", {"entry": 40, "text": "**¡Olé!** 1. g4"})
    author.post(f"/studies/{study}/marks", {"entry": 40, "glyphs": ["brilliant"], "shapes": []})
    return str(study)


def create_disputes(service: Serving, arbiter: Client) -> dict[str, str]:
    """Raise an open dispute and one with a ruling; return their ids and the latter plaintiff's name."""
    ids = dict[str, str]()
    for name in ("dispute", "ruled"):
        player = service.player()
        match = player.post("/matches", {"title": "el_grande", "seats": 2, "table": {"pauseOnDispute": False}})
        path = f"/matches/{match['matchId']}"
        player.post(f"{path}/seats", {"seat": 0})
        player.post(f"{path}/seats", {"seat": 1, "bot": "random"})
        player.post(f"{path}/ready", {})
        legal = until(player, f"{path}/legal-actions", lambda response: bool(response["actions"]))
        version, action = legal["version"], legal["actions"][0]["action"]
        action_entry = player.post(f"{path}/actions", {"expectedVersion": version, "action": action})
        dispute = player.post(f"{path}/disputes", {"entry": action_entry["version"], "reason": "¿?"})["id"]
        ids[name] = str(dispute)
        ids["plaintiff"] = str(player.get("/me")["person"]["name"])
    arbiter.post(f"/disputes/{ids['ruled']}/arbiter", {})
    ruling = {"rule": "EG-4.2", "reasons": "¡!", "measures": [{"type": "seat_warned", "seat": 0}]}
    arbiter.post(f"/disputes/{ids['ruled']}/rulings", ruling)
    return ids


def tournaments(organiser: Client) -> dict[str, str]:
    """Create an announced tournament, one whose first round has results entered by hand, and one in its first round."""
    plan = {"name": "Copa", "title": "el_grande", "size": 2, "stages": [{"kind": "swiss", "rounds": 2}]}
    plan["alternates"] = {"hours": 12}
    conditions = {"ratings": [{"title": "el_grande", "least": 1400}], "leavingMax": 20, "countries": ["ES", "FR"]}
    announced = organiser.post("/tournaments", {"plan": {**plan, "conditions": conditions}})["eventId"]
    put(organiser, f"/contests/{announced}/password", {"password": "between the olive trees"})
    event = organiser.post("/tournaments", {"plan": {**plan, "name": "Liga", "faceToFace": True}})["eventId"]
    path = f"/tournaments/{event}"
    for name in ("Ana", "Blai", "Clara", "Dolors"):
        organiser.post(f"{path}/entries", {"name": name, "club": "Palma"})
    organiser.post(f"{path}/announcements", {"text": "¡Olé!"})
    times = [{"starts": "2031-05-01T10:00:00Z", "deadline": "2031-05-01T12:00:00Z"}, {"starts": "2031-05-01T14:00:00Z"}]
    prizes = {"places": [{"amount": 10000, "name": "Copa"}, {"amount": 5000}], "currency": "€"}
    put(organiser, f"{path}/prizes", {"prizes": prizes})
    calendar = {"zone": "Europe/Madrid", "place": "Palma", "fee": "10 €", "rounds": times}
    pause = [{"starts": "2031-05-01T12:00:00Z", "ends": "2031-05-01T14:00:00Z", "name": "Siesta"}]
    put(organiser, f"{path}/calendar", {"calendar": {**calendar, "breaks": pause}})
    organiser.post(f"{path}/pairings", {})
    until(organiser, path, lambda response: bool(response["rounds"]) and response["rounds"][-1]["status"] == "proposed")
    organiser.post(f"{path}/rounds/1/publication", {})
    for table in (1, 2):
        put(organiser, f"{path}/rounds/1/tables/{table}/result", {"scores": [70, 60], "places": [1, 2]})
    organiser.post(f"{path}/rounds/1/closing", {})
    organiser.post(f"{path}/pairings", {})
    until(organiser, path, lambda response: response["rounds"][-1]["status"] == "proposed")
    return {"event": str(event), "announced": str(announced), "byhand": begun_by_hand(organiser, plan)}


def begun_by_hand(organiser: Client, plan: dict[str, Any]) -> str:
    """Create a face-to-face tournament in its first round, with one result and a past deadline."""
    event = organiser.post("/tournaments", {"plan": {**plan, "name": "Trobada", "faceToFace": True}})["eventId"]
    path = f"/tournaments/{event}"
    for name in ("Ana", "Blai", "Clara", "Dolors", "Enric"):
        organiser.post(f"{path}/entries", {"name": name})
    organiser.post(f"{path}/pairings", {})
    until(organiser, path, lambda response: bool(response["rounds"]) and response["rounds"][-1]["status"] == "proposed")
    organiser.post(f"{path}/rounds/1/publication", {})
    until(organiser, path, lambda response: response["rounds"][-1]["status"] == "opened")
    put(organiser, f"{path}/rounds/1/tables/2/result", {"scores": [70, 60], "places": [1, 2]})
    calendar = {"rounds": [{"deadline": "2026-01-01T10:00:00Z"}]}
    put(organiser, f"{path}/calendar", {"calendar": calendar, "reason": "The hall closes."})
    return str(event)


def put(client: Client, path: str, body: object) -> None:
    status, response = client.ask("PUT", path, body)
    assert status == 200, response


def league_of(organiser: Client) -> str:
    """Open a league, draw its first season and wait until the match of its first round has ended."""
    plan = {
        "name": "Serra",
        "title": "el_grande",
        "options": {"short": "yes"},
        "size": 2,
        "table": {},
        "alternates": {},
    }
    league = organiser.post("/leagues", {"plan": plan})["leagueId"]
    organiser.post(f"/leagues/{league}/seasons", {"name": "2026"})
    for bot in ("bot:greedy@1", "bot:random@1"):
        organiser.post(f"/leagues/{league}/entries", {"player": bot})
    organiser.post(f"/leagues/{league}/draw", {})
    organiser.post(f"/leagues/{league}/rounds", {})
    extension = {"round": 1, "deadline": "2199-01-01T00:00:00Z", "reason": "Snow on the passes."}
    organiser.post(f"/leagues/{league}/deadlines", extension)
    # It is the only match here that fills the archive. Workers take jobs of matches with people first.
    until(organiser, f"/leagues/{league}/seasons/1", lambda season: season["groups"][0]["lines"][0]["played"] == 1)
    return str(league)
