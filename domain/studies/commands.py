"""Commands of studies: open, write, export and import."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from domain.matches.aggregate import Match
from domain.matches.errors import LogFault
from domain.matches.facts import Actor
from domain.matches.log.entries import digest
from domain.matches.log.imports import CLOCK_SKEW_MAX
from domain.matches.log.log_files import log_of
from domain.matches.log.records import Record, Stream, record_digest
from domain.matches.transaction import MatchReader, MatchWriter, Transaction
from domain.studies.admission import admit, admit_opening
from domain.studies.errors import NotYourStudy, StudyExists, StudyRefused, WrongMatch
from domain.studies.facts import (
    ChapterNamed,
    CommentWritten,
    Fact,
    PlaceMarked,
    StepsAdded,
    StudyOpened,
    StudyPlace,
    VariationAdded,
    Visibility,
)
from domain.studies.file import StudyFile, study_file
from domain.studies.readers import require_own_work
from domain.studies.rules import Wish, check_place, line_of, position_at, require_open, require_started, variation_of
from domain.studies.state import STUDY, Study, evolve

StudyStream = Stream[Study]
Part = Callable[[Transaction], StudyStream]
"""A command that stores part of a study."""
FACTS_PER_COMMAND: Final = 500
BYTES_PER_COMMAND: Final = 1024 * 1024
"""Bounds of one part. Storing 500 facts holds the writer for about 20 ms, the 5,000 of a large study for 160 ms."""


class StoredStudyMatch:
    """The match of a study, read from the store."""

    def __init__(self, matches: MatchReader, match_id: UUID) -> None:
        self._matches = matches
        self.match_id = match_id
        self.last = matches.lines.last_visible_version(match_id)
        self.is_open = matches.lines.last_closed_version(match_id) == 0

    def at(self, entry: int) -> Match:
        """Return the match after an entry."""
        return self._matches.at(self.match_id, entry)

    def digest_of(self, entry: int) -> str:
        """Return the digest of an entry in hex."""
        (stored,) = self._matches.entries(self.match_id, entry - 1, 1)
        return digest(stored).hex()


def require_readable(match: Match, person: Actor) -> None:
    """Raise `NotYourStudy` unless the match is public, or the person opened it or has sat there.

    What-ifs are always refused: a study could reveal information that their match hides.
    """
    if match.docket.dispute:
        raise NotYourStudy(f"the match {match.id} is a what-if of arbiters and cannot have studies")
    if not match.table.public and person not in match.docket.sat and person != match.opened_by:
        raise NotYourStudy(f"the match {match.id} is private; only its players can annotate it")


def open_study(
    matches: MatchWriter,
    study_id: UUID,
    match_id: UUID,
    *,
    title: str,
    visibility: Visibility,
    by: Actor,
    at: datetime,
) -> StudyStream:
    """Open a study of the current match, or return the owner's study of that id; raise `StudyExists` for another.

    Raise `NotYourStudy` if `by` may not see the match, `StudyRefused` for a bad title.
    """
    match, source = matches.get(match_id), StoredStudyMatch(matches, match_id)
    require_readable(match, by)
    entries = min(source.last, match.version)
    fact = StudyOpened(
        by=by,
        match=match_id,
        head=source.digest_of(entries),
        entries=entries,
        title=title.strip(),
        visibility=visibility,
    )
    admit_opening(fact, source)

    def compose(batch: Transaction) -> StudyStream:
        existing = batch.find(STUDY, study_id)
        if existing is not None:
            if existing.state.owner != by or existing.state.match != match_id:
                raise StudyExists(f"the study id {study_id} is already in use")
            return existing
        return batch.record(STUDY, study_id, fact)

    return matches.transact(compose, at=at)


def add_fact(
    matches: MatchWriter, study_id: UUID, fact: Fact, *, at: datetime, expected_version: int | None = None
) -> StudyStream:
    """Add a fact to a study.

    Raise `NotYourStudy` if its author may not, `StudyRefused` or `IllegalVariation` if it is not admissible (see
    `admit`), and `StaleVersion` unless the study is at `expected_version`.
    """

    def compose(batch: Transaction) -> StudyStream:
        study = batch.get(STUDY, study_id).state
        admit(study, fact, StoredStudyMatch(matches, study.match))
        return batch.record(STUDY, study_id, fact, expected_version=expected_version)

    return matches.transact(compose, at=at)


def add_facts(matches: MatchWriter, study_id: UUID, facts: Sequence[Fact], *, at: datetime) -> StudyStream:
    """Add facts to a study in one transaction: if one is refused, none is added; raise as `add_fact`."""

    def compose(batch: Transaction) -> StudyStream:
        stream = batch.get(STUDY, study_id)
        book = StoredStudyMatch(matches, stream.state.match)
        for fact in facts:
            admit(stream.state, fact, book)
            stream = batch.record(STUDY, study_id, fact)
        return stream

    return matches.transact(compose, at=at)


def add_comment(
    matches: MatchWriter, study_id: UUID, place: StudyPlace, text: str, *, by: Actor, at: datetime
) -> StudyStream:
    """Add a comment with the next number at a place.

    Raise `NotYourStudy` unless `by` is an author, `StudyRefused` for a bad text or place or above
    `COMMENTS_MAX`.
    """

    def compose(batch: Transaction) -> StudyStream:
        study = batch.get(STUDY, study_id).state
        fact = CommentWritten(by=by, comment=study.numbers_used + 1, at=place, text=text)
        admit(study, fact, StoredStudyMatch(matches, study.match))
        return batch.record(STUDY, study_id, fact)

    return matches.transact(compose, at=at)


def add_variation(
    matches: MatchWriter, study_id: UUID, place: StudyPlace, wishes: Iterable[Wish], *, by: Actor, at: datetime
) -> StudyStream:
    """Add a variation from a place, or extend the variation that ends there; the engine decides every step.

    Raise `NotYourStudy` unless `by` may write, `IllegalVariation` for a refused wish, `StudyRefused` for a bad
    place or limit or while the match hides something, and `RulesRetired`.
    """
    return matches.transact(variation_command(matches, study_id, place, wishes, by=by), at=at)


def variation_command(
    matches: MatchReader, study_id: UUID, place: StudyPlace, wishes: Iterable[Wish], *, by: Actor
) -> Callable[[Transaction], StudyStream]:
    """Return the transaction of `add_variation`, to be composed outside the writer: its time grows with the line."""
    chosen = tuple(wishes)

    def compose(batch: Transaction) -> StudyStream:
        study = batch.get(STUDY, study_id).state
        if not study.may_write(by):
            raise NotYourStudy(f"{by!r} is not an author of this study")
        source = StoredStudyMatch(matches, study.match)
        require_open(source)
        check_place(study, place, source)
        before = position_at(study, place, source)
        require_started(before, place)
        continues = place.variation and place.step == len(variation_of(study, place.variation).steps)
        first = place.step + 1 if continues else 1
        steps = line_of(before, chosen, first)
        fact: Fact = (
            StepsAdded(by=by, variation=place.variation, steps=steps)
            if continues
            else VariationAdded(by=by, variation=study.numbers_used + 1, at=place, steps=steps)
        )
        admit(study, fact, source)
        return batch.record(STUDY, study_id, fact)

    return compose


# Files.


def export_study(matches: MatchReader, study_id: UUID, *, with_log: bool) -> StudyFile:
    """Return the study as a file, with the log of its match if requested.

    Raise `StudyRefused` if that log still hides something.
    """
    records = matches.streams.records(study_id)
    study = matches.streams.get(STUDY, study_id).state
    if not with_log:
        return study_file(records)
    if matches.lines.last_closed_version(study.match):
        raise StudyRefused(
            f"the match {study.match} still has hidden information; its log can be included once it has ended"
        )
    return study_file(records, log_of(matches.entries(study.match)))


def check_study(file: StudyFile, source: StoredStudyMatch) -> Study:
    """Return the study of a file, checking every fact against this match; `LogFault` names the first bad record.

    A study of another match raises `WrongMatch`.
    """
    study: Study | None = None
    for record, fact in zip(file.records, file.facts, strict=True):
        try:
            if isinstance(fact, StudyOpened):
                admit_opening(fact, source)
            else:
                assert study is not None
                admit(study, fact, source)
        except (StudyRefused, NotYourStudy) as refusal:
            raise LogFault(record.version, "body", str(refusal)) from refusal
        study = evolve(study, record, fact)
    assert study is not None
    return study


def check_arrival(matches: MatchReader, file: StudyFile, at: datetime) -> None:
    """Check the id and times of an imported study, which stay as they are; a known study of this id passes.

    Raise `LogFault` for a last record in the future, and `StudyExists` for an id used by anything else, or one of
    version 5: services derive ids of future streams and matches from others.
    """
    study, newest = file.header.study, file.records[-1]
    if study.version == 5:
        raise StudyExists(f"the id {study} is derived from another id; choose a random one")
    if newest.timestamp > at + CLOCK_SKEW_MAX:
        written_at = newest.timestamp.isoformat()
        raise LogFault(newest.version, "chain", f"it was written at {written_at}, a time in the future")
    if matches.lines.has(study) and matches.streams.find(STUDY, study) is None:
        raise StudyExists(f"the id {study} is already used, not by a study")


def parts_of(sizes: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """Divide facts of these sizes in bytes into ranges (first, end), each of which one command stores.

    A range has at most `FACTS_PER_COMMAND` facts and `BYTES_PER_COMMAND` bytes, but always at least one fact.
    """
    parts, first, end, content = list[tuple[int, int]](), 0, 0, 0
    for end, size in enumerate(sizes, start=1):
        if end - first > FACTS_PER_COMMAND or (content and content + size > BYTES_PER_COMMAND):
            parts.append((first, end - 1))
            first, content = end - 1, 0
        content += size
    return (*parts, (first, end))


def store_parts(matches: MatchWriter, parts: Iterable[Part], at: datetime) -> StudyStream:
    """Store a study part by part."""
    *_, stream = [matches.transact(part, at=at) for part in parts]
    return stream


def import_study(matches: MatchWriter, file: StudyFile, *, at: datetime) -> StudyStream:
    """Import a study unchanged; its match must exist here. The same head again changes nothing."""
    return store_parts(matches, import_commands(matches, file, at=at), at)


def import_commands(matches: MatchReader, file: StudyFile, *, at: datetime) -> tuple[Part, ...]:
    """Check a study that keeps its id, replaying every variation, and return the commands that store it.

    If an earlier import was interrupted, the commands store the records that are missing. Raise `WrongMatch` if its
    match is not here or another, `StudyExists` or `LogFault` for a bad id, time or record, `NotYourStudy` if its
    owner may not see the match, and `StudyRefused` if they play it still and others wrote into the study.
    """
    header = file.header
    if not matches.lines.has(header.match):
        raise WrongMatch(f"the match {header.match} is not on this server; import its log first")
    check_arrival(matches, file, at)
    study = check_study(file, StoredStudyMatch(matches, header.match))
    require_readable(matches.get(header.match), study.owner)
    require_own_work(matches, study, study.owner)

    return tuple(restore_command(file, end) for _, end in parts_of(len(record.body) for record in file.records))


def restore_command(file: StudyFile, end: int) -> Part:
    """Return the command that stores the records up to `end` which are not stored yet.

    The command raises `StudyExists` if the stored study differs.
    """

    def compose(batch: Transaction) -> StudyStream:
        existing = batch.find(STUDY, file.header.study)
        if existing is None:
            return batch.restore(STUDY, file.records[:end])
        same = file.records[: existing.version]
        if len(same) < existing.version or record_digest(same[-1]) != existing.head_digest:
            raise StudyExists(f"the study {existing.id} already exists, with the head {existing.head}")
        return existing if existing.version >= end else batch.restore(STUDY, file.records[existing.version : end])

    return compose


def own_facts(study: Study, by: Actor) -> tuple[Fact, ...]:
    """Return the facts of a copy of the study by another owner, numbered consecutively.

    Comments keep their text, but all are by the new owner; collaborators and visibility are not copied.
    """
    numbers = {0: 0}
    facts: list[Fact] = [
        StudyOpened(
            by=by, match=study.match, head=study.head, entries=study.entries, title=study.title, kind=study.kind
        )
    ]

    def move_place(place: StudyPlace) -> StudyPlace:
        return StudyPlace(place.entry, numbers[place.variation], place.step)

    for variation in study.variations:
        numbers[variation.number] = len(numbers)
        facts.append(
            VariationAdded(
                by=by, variation=numbers[variation.number], at=move_place(variation.at), steps=variation.steps
            )
        )
    used = len(numbers) - 1
    for number, each in enumerate(study.comments, start=used + 1):
        facts.append(CommentWritten(by=by, comment=number, at=move_place(each.at), text=each.text))
    facts.extend(
        PlaceMarked(by=by, at=move_place(each.at), glyphs=each.glyphs, shapes=each.shapes) for each in study.marks
    )
    facts.extend(ChapterNamed(by=by, entry=each.entry, title=each.title) for each in study.chapters)
    return tuple(facts)


def import_copy(matches: MatchWriter, file: StudyFile, study_id: UUID, *, by: Actor, at: datetime) -> StudyStream:
    """Import a study as a copy with another owner and id, with the same checks."""
    return store_parts(matches, copy_commands(matches, file, study_id, by=by), at)


def copy_commands(matches: MatchReader, file: StudyFile, study_id: UUID, *, by: Actor) -> tuple[Part, ...]:
    """Check a study and return the commands that store a copy of it; they continue an interrupted import.

    Raise `WrongMatch` if its match is not here or another, `LogFault` for a bad record, `NotYourStudy` if `by` may
    not see the match, and `StudyRefused` if they play it still and others wrote into the study.
    """
    if not matches.lines.has(file.header.match):
        raise WrongMatch(f"the match {file.header.match} is not on this server; import its log first")
    require_readable(matches.get(file.header.match), by)
    study = check_study(file, StoredStudyMatch(matches, file.header.match))
    require_own_work(matches, study, by)
    facts = own_facts(study, by)

    parts = parts_of(len(msgspec.json.encode(fact)) for fact in facts)
    return tuple(record_command(study_id, facts, first, end) for first, end in parts)


def record_command(study_id: UUID, facts: Sequence[Fact], first: int, end: int) -> Part:
    """Return the command that stores the facts of a copy from `first` to `end`; it skips parts stored already.

    The command raises `StaleVersion` if the owner has changed the copy since the command before.
    """

    def compose(batch: Transaction) -> StudyStream:
        existing = batch.find(STUDY, study_id)
        if existing is not None and (first == 0 or existing.version >= end):
            return existing
        return batch.record(STUDY, study_id, *facts[first:end], expected_version=first)

    return compose


def records_by(records: Iterable[Record]) -> set[Actor]:
    """Return the authors of these records."""
    return {STUDY.read(record).by for record in records}
