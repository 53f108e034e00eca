"""Studies: permissions, commands and responses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from api.accounts.display_names import Names, names_of
from api.accounts.schemas import Account
from api.accounts.service import AccountService
from api.http.guards import Caller
from api.http.languages import say
from api.matches.schemas import KnownView
from api.studies.schemas import (
    ChangeStudy,
    ChapterShown,
    CommentShown,
    MarkPlace,
    MarksShown,
    NameChapter,
    PlayVariation,
    StepShown,
    StudyListed,
    StudyShown,
    VariationPosition,
    VariationShown,
    WriteComment,
)
from domain.eventstore.application import Matches
from domain.eventstore.batch import Batch
from domain.matches.facts import SERVICE, Actor
from domain.roles.state import EVERYWHERE, Roles, holds
from domain.studies import commands
from domain.studies.admission import admit
from domain.studies.commands import Part, StoredStudyMatch, StudyStream
from domain.studies.facts import (
    ChapterNamed,
    CollaboratorAdded,
    CollaboratorRemoved,
    CommentRemoved,
    CommentWritten,
    Fact,
    PlaceMarked,
    StudyPlace,
    StudyRenamed,
    StudyStep,
    VariationCut,
    VariationPromoted,
    VisibilityChanged,
)
from domain.studies.file import StudyFile, study_bytes
from domain.studies.readers import require_no_helpers, require_reader
from domain.studies.report import report
from domain.studies.rules import Position, Wish, check_place, position_at, require_open, require_started
from domain.studies.state import STUDY, Study, evolve
from projections.studies import StudyRow


def person_of(caller: Caller) -> Actor:
    """Return the reading person; empty for visitors without an account."""
    return caller.person.id if caller.person else (SERVICE if caller.is_service else "")


def read_study(matches: Matches, study_id: UUID, caller: Caller) -> StudyStream:
    """Return a study; raise `NotYourStudy` or `StudyClosed` if the caller may not read it now.

    The service itself may read all.
    """
    stream = matches.streams.get(STUDY, study_id)
    if not caller.is_service:
        require_reader(matches, stream.state, person_of(caller))
    return stream


def people_in(study: Study) -> set[Actor]:
    """Return everyone named in a study."""
    writers = {each.by for each in study.comments} | {each.by for each in study.variations}
    return {study.owner, *study.collaborators, *writers}


def encode_study(stream: StudyStream, accounts: AccountService, caller: Caller) -> StudyShown:
    """Return a study for a response, with names and whether the caller may write."""
    study = stream.state
    names = names_of(accounts, people_in(study))
    return StudyShown(
        id=stream.id,
        version=stream.version,
        head=stream.head,
        match_id=study.match,
        match_head=study.head,
        entries=study.entries,
        title=study.title,
        owner=study.owner,
        owner_name=names[study.owner],
        visibility=study.visibility,
        kind=study.kind,
        collaborators=tuple(Account(each, names[each]) for each in study.collaborators),
        comments=tuple(
            CommentShown(
                each.number, each.at.entry, each.at.variation, each.at.step, each.text, each.by, names[each.by]
            )
            for each in study.comments
        ),
        marks=tuple(
            MarksShown(each.at.entry, each.at.variation, each.at.step, each.glyphs, each.shapes) for each in study.marks
        ),
        variations=tuple(
            VariationShown(
                each.number,
                each.at.entry,
                each.at.variation,
                each.at.step,
                each.by,
                tuple(map(encode_step, each.steps)),
            )
            for each in study.variations
        ),
        chapters=tuple(ChapterShown(each.entry, each.title) for each in study.chapters),
        may_write=study.may_write(person_of(caller)),
    )


def encode_step(step: StudyStep) -> StepShown:
    """Return a step for a response."""
    return StepShown(step.seat, msgspec.json.decode(step.action), say(step.told))


def encode_rows(
    rows: Sequence[StudyRow], accounts: AccountService, roles: Roles, events: Mapping[UUID, str]
) -> tuple[StudyListed, ...]:
    """Return the rows with names, each marked if its owner is an annotator of the service or of the match's event.

    `events` has the event of a match.
    """
    names: Names = names_of(accounts, (row.owner for row in rows))
    return tuple(
        StudyListed(
            row.id,
            row.match_id,
            row.title,
            row.owner,
            names[row.owner],
            row.visibility,
            row.opened_at,
            row.changed_at,
            row.comments,
            row.variations,
            holds(roles, row.owner, "annotator", events.get(row.match_id, EVERYWHERE)),
        )
        for row in rows
    )


# Commands, on the writer's thread.


def change(matches: Matches, study_id: UUID, facts: Sequence[Fact], *, at: datetime) -> StudyStream:
    """Append facts about the study as a whole, all or none, and return it; without facts nothing changes.

    Raise `StudyRefused` for a collaborator added by a player of a match that has not ended, and `NotYourStudy` or
    `StudyRefused` as `admit`.
    """
    study = matches.streams.get(STUDY, study_id).state
    for fact in facts:
        if isinstance(fact, CollaboratorAdded):
            require_no_helpers(matches, study, fact.by)
    return commands.add_facts(matches, study_id, facts, at=at)


def find_new_collaborators(matches: Matches, study_id: UUID, facts: Sequence[Fact]) -> tuple[Actor, ...]:
    """Return the new collaborators among changes of a study, in order.

    Raise `StudyRefused` or `NotYourStudy` first if any of them is not allowed.
    """
    study = matches.streams.get(STUDY, study_id).state
    added = [fact for fact in facts if isinstance(fact, CollaboratorAdded)]
    for fact in added:
        require_no_helpers(matches, study, fact.by)
        admit(study, fact, StoredStudyMatch(matches, study.match))
    return tuple(fact.person for fact in added)


def changes_of(request: ChangeStudy, caller: Caller, accounts: AccountService) -> tuple[Fact, ...]:
    """Return the facts for a change of the study: title, visibility, added, then removed collaborators.

    Raise `NoSuchPerson` for an unknown one.
    """
    by, facts = caller.actor, list[Fact]()
    if request.title is not None:
        facts.append(StudyRenamed(by=by, title=request.title.strip()))
    if request.visibility is not None:
        facts.append(VisibilityChanged(by=by, visibility=request.visibility))
    facts += [CollaboratorAdded(by=by, person=accounts.get_by_id_or_name(name).id) for name in request.add]
    facts += [CollaboratorRemoved(by=by, person=accounts.get_by_id_or_name(name).id) for name in request.remove]
    return tuple(facts)


def comment(matches: Matches, study_id: UUID, caller: Caller, request: WriteComment, *, at: datetime) -> StudyStream:
    """Write a new comment, or change the caller's one with the given number, at its place.

    Raise `NotYourStudy` or `StudyRefused` as `admit_comment`.
    """
    place = StudyPlace(request.entry, request.variation, request.step)
    if request.comment is None:
        return commands.add_comment(matches, study_id, place, request.text, by=caller.actor, at=at)
    fact = CommentWritten(by=caller.actor, comment=request.comment, at=place, text=request.text)
    return commands.add_fact(matches, study_id, fact, at=at)


def remove_comment(matches: Matches, study_id: UUID, caller: Caller, number: int, *, at: datetime) -> StudyStream:
    """Remove a comment; raise `NotYourStudy` unless the caller wrote it or owns the study, `StudyRefused` if none."""
    return commands.add_fact(matches, study_id, CommentRemoved(by=caller.actor, comment=number), at=at)


def mark(matches: Matches, study_id: UUID, caller: Caller, request: MarkPlace, *, at: datetime) -> StudyStream:
    """Replace the marks of a place, glyphs and shapes; without any they are removed.

    Raise `NotYourStudy` unless the caller may write, `StudyRefused` for an unknown place or bad marks.
    """
    place = StudyPlace(request.entry, request.variation, request.step)
    fact = PlaceMarked(by=caller.actor, at=place, glyphs=request.glyphs, shapes=request.shapes)
    return commands.add_fact(matches, study_id, fact, at=at)


def compose_variation(
    matches: Matches, study_id: UUID, caller: Caller, request: PlayVariation
) -> Callable[[Batch], StudyStream]:
    """Return the transaction that adds a variation, or extends a variation that ends at the place.

    It raises `IllegalVariation`, `StudyRefused`, `NotYourStudy` or `RulesRetired` as `add_variation`.
    """
    place = StudyPlace(request.entry, request.variation, request.step)
    wishes = tuple(Wish(step.action, step.seat) for step in request.steps)
    return commands.variation_command(matches, study_id, place, wishes, by=caller.actor)


def cut_variation(
    matches: Matches, study_id: UUID, caller: Caller, number: int, steps: int, *, at: datetime
) -> StudyStream:
    """Cut a variation to its first steps, or remove it if `steps` is 0.

    Raise `NotYourStudy` unless the caller wrote it or owns the study, `StudyRefused` if it is unknown or not longer.
    """
    return commands.add_fact(matches, study_id, VariationCut(by=caller.actor, variation=number, steps=steps), at=at)


def promote_variation(matches: Matches, study_id: UUID, caller: Caller, number: int, *, at: datetime) -> StudyStream:
    """Promote a variation; raise `NotYourStudy` or `StudyRefused` as `admit_promotion`."""
    return commands.add_fact(matches, study_id, VariationPromoted(by=caller.actor, variation=number), at=at)


def name_chapter(
    matches: Matches, study_id: UUID, caller: Caller, request: NameChapter, *, at: datetime
) -> StudyStream:
    """Name, rename or, with an empty title, remove a chapter.

    Raise `NotYourStudy` unless the caller may write, `StudyRefused` for an unknown entry or chapter or a bad title.
    """
    fact = ChapterNamed(by=caller.actor, entry=request.entry, title=request.title.strip())
    return commands.add_fact(matches, study_id, fact, at=at)


def position(matches: Matches, study_id: UUID, place: StudyPlace, caller: Caller) -> VariationPosition:
    """Return the view and legal actions of spectators and every seat at a place.

    Raise `StudyRefused` if the place does not exist or is before the start, or the match still hides something, and the
    errors of `read_study`.
    """
    study = read_study(matches, study_id, caller).state
    book = StoredStudyMatch(matches, study.match)
    require_open(book)
    check_place(study, place, book)
    found = position_at(study, place, book)
    rules, state = found.match.definition.rules, found.state
    require_started(found, place)
    seats = (None, *range(len(found.match.seats)))
    return VariationPosition(
        place.entry,
        place.variation,
        place.step,
        rules.seats_to_act(state),
        tuple(KnownView(seat, rules.view(state, seat), legal_words(rules, state, seat)) for seat in seats),
    )


class FoundPlace(msgspec.Struct, frozen=True):
    """A place of a study with its position."""

    kept: StudyStream
    position: Position
    last: int
    is_open: bool


def find_place(matches: Matches, study_id: UUID, place: StudyPlace, caller: Caller) -> FoundPlace:
    """Return a place of a study that the caller may read; raise `StudyRefused` if it does not exist.

    Raise the errors of `read_study` if they may not read it.
    """
    stream = read_study(matches, study_id, caller)
    book = StoredStudyMatch(matches, stream.state.match)
    check_place(stream.state, place, book)
    return FoundPlace(stream, position_at(stream.state, place, book), book.last, book.is_open)


def legal_words(rules: Any, state: Any, seat: int | None) -> tuple[str, ...]:
    """Return the descriptions of a seat's legal actions; empty for spectators and seats that are not to act."""
    if seat is None or seat not in rules.seats_to_act(state):
        return ()
    seat_view = rules.view(state, seat)
    return tuple(say(rules.describe(seat_view, action)) for action in rules.legal_actions(state, seat))


# Files.


def export(matches: Matches, study_id: UUID, with_log: bool, caller: Caller) -> bytes:
    """Return a study as a file; raise `StudyRefused` if a requested log still hides something, and as `read_study`."""
    read_study(matches, study_id, caller)
    return study_bytes(commands.export_study(matches, study_id, with_log=with_log))


def render_study(matches: Matches, study_id: UUID, names: Names, caller: Caller) -> str:
    """Return the study as a readable report."""
    stream = read_study(matches, study_id, caller)
    return report(stream.state, matches.get(stream.state.match), names)


def compose_import(
    matches: Matches, file: StudyFile, new_id: UUID, caller: Caller, *, at: datetime
) -> tuple[Part, ...]:
    """Return the commands that store a file, after checking it; raise as `import_commands` or `copy_commands`.

    The caller's file, or any brought by an operator, is stored unchanged; another one as a copy of the caller's.
    """
    if is_stored_unchanged(file, caller):
        return commands.import_commands(matches, file, at=at)
    return commands.copy_commands(matches, file, new_id, by=caller.actor)


def store_part(_: Matches, command: Part) -> Part:
    """Compose a part outside the writer."""
    return command


def is_stored_unchanged(file: StudyFile, caller: Caller) -> bool:
    """Return whether a file is stored unchanged: all its records are the caller's, or the caller is an operator."""
    return caller.is_operator or commands.records_by(file.records) == {person_of(caller)}


def find_import_collaborators(matches: Matches, file: StudyFile, caller: Caller) -> frozenset[Actor]:
    """Return the people who become collaborators when the caller imports the file; a copy has none.

    Present collaborators of the stored study are left out.
    """
    if not is_stored_unchanged(file, caller):
        return frozenset()
    existing = matches.streams.find(STUDY, file.header.study)
    current = frozenset() if existing is None else frozenset(existing.state.collaborators)
    return frozenset(fact.person for fact in file.facts if isinstance(fact, CollaboratorAdded)) - current


def check_import(matches: Matches, file: StudyFile, new_id: UUID, caller: Caller, *, at: datetime) -> Study | None:
    """Return the study in an importable file if it has rings or arrows; None if not, or if it is stored already.

    Raise the errors of `compose_import` if it cannot be imported.
    """
    existing = matches.streams.find(STUDY, file.header.study) if is_stored_unchanged(file, caller) else None
    if existing is not None and existing.head == file.header.study_head:
        return None
    if not any(isinstance(fact, PlaceMarked) and fact.shapes for fact in file.facts):
        return None
    compose_import(matches, file, new_id, caller, at=at)
    study: Study | None = None
    for record, fact in zip(file.records, file.facts, strict=True):
        study = evolve(study, record, fact)
    return study


def find_marked(matches: Matches, study: Study, place: StudyPlace) -> tuple[Position, bool]:
    """Return the position at a place of a study in a file, and whether all seats' views are open."""
    book = StoredStudyMatch(matches, study.match)
    return position_at(study, place, book), book.is_open
