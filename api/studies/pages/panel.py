"""The panel of studies next to a replay: content about the current entry, and forms for writers."""

from __future__ import annotations

import asyncio
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath

from api.accounts.service import ACCOUNTS
from api.disputes.forms import RAISE
from api.http.form_pages import forms_of
from api.http.forms import Form, read_form
from api.http.languages import _, ngettext, say
from api.http.page_responses import PageRequest, redirect_after_form
from api.http.structs import RequestStruct
from api.matches.pages.positions import seat_names
from api.matches.pages.replay_position import (
    EntryMark,
    EntryNotes,
    Notes,
    ReplayPosition,
    RequestedPosition,
    VariationStep,
)
from api.matches.service import MATCHES, MatchService
from api.studies.pages.forms import CHAPTER, COMMENT, OPEN
from api.studies.pages.selection import chosen_study, remember_study
from api.studies.pages.studies import GLYPH_WORDS, VISIBILITY_WORDS, study_context
from api.studies.pages.tree import ActionChoice, choices_at, may_be_promoted, targets_from
from api.studies.presentations import PRESENTATIONS
from api.studies.schemas import Number, StudyListed
from api.studies.service import StudyOfCaller, StudyService
from domain.kernel.messages import N_
from domain.matches.aggregate import Match
from domain.matches.errors import NoSuchStream
from domain.studies.commands import StudyStream
from domain.studies.errors import NotYourStudy, StudyRefused
from domain.studies.facts import GLYPH_SIGNS, Colour, StudyPlace
from domain.studies.rules import variation_at
from projections.platform.paging import LIMIT_MAX

EXCERPT_MAX: Final = 140
"""Maximum length of a comment's excerpt in the list of entries."""
COLOUR_WORDS: Final[Mapping[Colour, str]] = {
    "green": N_("Draw in green"),
    "red": N_("Draw in red"),
    "blue": N_("Draw in blue"),
    "yellow": N_("Draw in yellow"),
}


class BesideForm(RequestStruct, frozen=True):
    """The choice of the study to show next to the replay, stored in the browser only."""

    study: UUID
    at: Number = 1


BESIDE: Final = Form("button", BesideForm)


def default_study(rows: Sequence[StudyListed]) -> UUID | None:
    """Return the study that is shown by default: by an annotator of the service if possible."""
    return next((row.id for row in sorted(rows, key=lambda row: not row.by_annotator)), None)


async def context(request: PageRequest, position: ReplayPosition) -> Mapping[str, Any] | None:
    """Return the context of the panel: the studies of the match, and the content of the open one, if any.

    Raise if a study in the URL is unreadable or about another match.
    """
    service = service_of(request)
    rows = (await service.list(position.match_id, limit=LIMIT_MAX)).items
    match = await service.tables.reading.get(position.match_id)
    found: dict[str, Any] = {"studies": rows, "study": None, "here": None, "may_write": False}
    if stream := await open_study_of(request, service, position, rows):
        found |= await panel_context(request, service, stream, match, position)
    return found | {
        "forms": forms_of(request, OPEN, COMMENT, CHAPTER, RAISE),
        "visibility_words": VISIBILITY_WORDS,
        "may_dispute": service.caller.person is not None
        and any(info.actor == service.person for info in match.seats)
        and match.status != "superseded"
        and position.off is None
        and position.version >= (match.started_version or position.last + 1),
        "superseded_by": match.docket.superseded_by,
    }


def service_of(request: PageRequest) -> StudyService:
    """Return the study service of a request."""
    return StudyService(MATCHES.of(request), ACCOUNTS.of(request), request.user)


async def open_study_of(
    request: PageRequest, service: StudyService, position: ReplayPosition, rows: Sequence[StudyListed] | None = None
) -> StudyStream | None:
    """Return the study that is open next to a match: from the URL, else the reader's choice, else the default.

    None without any. An unreadable choice is ignored; an unreadable study in the URL is an error.
    """
    if position.wanted.study is not None:
        return await find_study(service, position.wanted.study, position.match_id)
    if (chosen := chosen_study(request, position.match_id)) is None:
        found = (await service.list(position.match_id, limit=LIMIT_MAX)).items if rows is None else rows
        chosen = default_study(found)
    try:
        return None if chosen is None else await find_study(service, chosen, position.match_id)
    except (NoSuchStream, NotYourStudy, StudyRefused):
        return None


async def find_study(service: StudyService, study_id: UUID, match_id: UUID) -> StudyStream:
    """Return a study that the reader may read; raise `StudyRefused` unless it is about the match.

    Raise `NoSuchStream`, `NotYourStudy` or `StudyClosed` as `read_study`.
    """
    stream = await StudyOfCaller(service, study_id).read()
    if stream.state.match != match_id:
        raise StudyRefused(f"study {study_id} is about match {stream.state.match}, not {match_id}")
    return stream


async def panel_context(
    request: PageRequest, service: StudyService, stream: StudyStream, match: Match, position: ReplayPosition
) -> dict[str, Any]:
    """Return the context of the open study at a place.

    For people who may write in it, it has the legal actions of the position (`choices`), from which variations are
    played; none unless the match is over and its rules version is supported.
    """
    study, requested = stream.state, position.wanted
    at = StudyPlace(position.version, requested.variation, requested.step)
    # The study may have changed since the position was read: a removed place must not appear as current.
    current_variation = variation_at(study, at) if requested.variation else None
    study_values = study_context(service, stream, position.eyes)
    entries = study_values["read"].entries
    may_write = study.may_write(service.person)
    choices: tuple[ActionChoice, ...] = ()
    if may_write and position.is_over and position.state is not None and not match.is_retired:
        drawing = service.tables.drawings[position.title]
        choices = await asyncio.to_thread(choices_at, match.definition.rules, position.state, position.seat, drawing)
    presentations = PRESENTATIONS.of(request)
    return study_values | {
        "kept": stream,
        "study": study,
        "study_id": stream.id,
        "spot": at,
        "here": study_values["read"].at(at),
        "tree": study_values["read"].at(StudyPlace(position.version)).variations,
        "own": current_variation,
        "walk": targets_from(study, at),
        "may_be_promoted": current_variation is not None and may_be_promoted(study, current_variation),
        "before": max((each for each in entries if each < position.version), default=None),
        "after": min((each for each in entries if each > position.version), default=None),
        "may_write": may_write,
        "choices": choices,
        "colours": COLOUR_WORDS,
        "presented": presentations.at(stream.id),
        "chapter": study.chapter(position.version),
    }


async def position_of(request: PageRequest, match_id: UUID, requested: RequestedPosition) -> VariationStep | None:
    """Return the position after a step of a variation; None if the URL names no variation.

    Raise `StudyRefused` if it names no `study` or no `at`, the study is about another match, or the place does not
    exist.
    """
    if not requested.variation:
        return None
    if requested.study is None or requested.at is None:
        raise StudyRefused(f"`variation={requested.variation}` requires `study` and `at`")
    service = service_of(request)
    await find_study(service, requested.study, match_id)
    place = StudyPlace(requested.at, requested.variation, requested.step)
    found = await StudyOfCaller(service, requested.study).place(place)
    found_variation = found.kept.state.variation(requested.variation)
    assert found_variation is not None, "the place has been found"
    last_action = say(found_variation.steps[requested.step - 1].told) if requested.step else ""
    seat = found_variation.steps[requested.step - 1].seat if requested.step else -1
    if seat >= 0:
        names = await asyncio.to_thread(seat_names, found.position.match, service.accounts)
        last_action = f"{names[seat]}: {last_action}"
    leaves = (found_variation.at.variation, found_variation.at.step)
    return VariationStep(
        found.position.state, requested.variation, requested.step, len(found_variation.steps), last_action, leaves
    )


async def notes(request: PageRequest, position: ReplayPosition) -> Notes:
    """Return the open study's content for the list of entries, without that inside variations; empty without a study.

    Each entry has its chapter, its glyphs, the number of its variations and an excerpt of its first comment.
    """
    stream = await open_study_of(request, service_of(request), position)
    if stream is None:
        return {}
    study = stream.state
    marks, texts = defaultdict[int, list[EntryMark]](list), dict[int, str]()
    for each in study.marks:
        if each.at.variation == 0:
            marks[each.at.entry] += [
                EntryMark(GLYPH_SIGNS[glyph], _(GLYPH_WORDS[glyph]), f"glyph {glyph}") for glyph in each.glyphs
            ]
    for comment in study.comments:
        if comment.at.variation == 0:
            texts.setdefault(comment.at.entry, excerpt_of(comment.text))
    for entry, count in Counter(each.at.entry for each in study.variations).items():
        label = ngettext("{count} variation", "{count} variations", count)
        marks[entry].append(EntryMark(str(count), label, "told-branch"))
    headings = {each.entry: each.title for each in study.chapters}
    return {
        entry: EntryNotes(tuple(marks.get(entry, ())), headings.get(entry, ""), texts.get(entry, ""))
        for entry in {*marks, *texts, *headings}
    }


def excerpt_of(text: str) -> str:
    """Return the start of a comment as plain text."""
    plain = " ".join(re.sub(r"[*_`>#]+", "", text).split())
    return plain if len(plain) <= EXCERPT_MAX else plain[:EXCERPT_MAX].rsplit(" ", 1)[0] + " …"


@post("/tables/{match_id:uuid}/replay/study", status_code=200)
async def open_beside(request: PageRequest, match_id: FromPath[UUID]) -> Response[Any]:
    """Open another study next to the replay: remember it and redirect to the replay."""
    form = await read_form(request, BESIDE)
    return remember_study(redirect_after_form(f"/tables/{match_id}/replay?at={form.at}", request), match_id, form.study)


@get("/tables/{match_id:uuid}/studies")
async def go_to_studies(
    request: PageRequest, match_id: FromPath[UUID], matches: NamedDependency[MatchService]
) -> Response[Any]:
    """Redirect to the replay, which shows the studies of a match; raise `NoSuchMatch` if unknown."""
    await matches.reading.get(match_id)
    return redirect_after_form(f"/tables/{match_id}/replay", request)


HANDLERS: Final = (open_beside, go_to_studies)
