"""Addresses of contests, as organisers choose or paste them in forms."""

from __future__ import annotations

import re
from typing import Final
from uuid import UUID

from api.circuits.responses import PLACES
from api.circuits.schemas import CircuitContestShown
from api.http.form_faults import FieldFault, excerpt
from api.http.forms import FormRejected
from domain.circuits.fact_base import SEASON_MAX, ContestKey, ContestKind
from domain.kernel.messages import N_, Message

NO_CONTEST: Final = N_(
    "“{value}” is not the address of a tournament, of a season or of a circuit. A season is part of its address, as in "
    "/leagues/…/seasons/2."
)
ADDRESS: Final = re.compile(
    r"(?:https?://[^/\s]+)?/(?P<place>events|leagues|circuits)/(?P<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"
    r"(?:/seasons/(?P<season>[1-9][0-9]{0,3}))?/?(?:[?#].*)?"
)
KINDS: Final[dict[str, ContestKind]] = {place: kind for kind, place in PLACES.items()}


def path_of_key(key: ContestKey) -> str:
    """Return the path that stands for a contest in forms."""
    season = f"/seasons/{key.season}" if key.season else ""
    return f"/{PLACES[key.kind]}/{key.id}{season}"


def path_in_form(contest: CircuitContestShown) -> str:
    """Return the path that stands for a contest of a response in forms."""
    return path_of_key(ContestKey(contest.kind, contest.id, contest.season))


def parse_address(text: str, field: str) -> ContestKey:
    """Return the contest at an address; raise `FormRejected` with the field if there can be none."""
    found = ADDRESS.fullmatch(text.strip())
    season = int(found["season"] or 0) if found else 0
    if found is None or (found["place"] == "leagues") != bool(season) or season > SEASON_MAX:
        raise FormRejected([FieldFault(field, Message(NO_CONTEST, {"value": excerpt(text)}))])
    return ContestKey(KINDS[found["place"]], UUID(found["id"]), season)
