"""Readers of studies: players of a running match that counts get no advice."""

from uuid import UUID

from domain.matches.facts import Actor
from domain.matches.forks.lineage import list_past_players
from domain.matches.transaction import MatchReader
from domain.studies.errors import NotYourStudy, StudyClosed, StudyRefused
from domain.studies.state import Study


def is_closed(matches: MatchReader, match_id: UUID) -> bool:
    """Return whether studies of the match are closed: it counts, and it or the line in its place is running."""
    return matches.get(match_id).table.counts and matches.lines.is_running(match_id)


def plays(matches: MatchReader, match_id: UUID, person: Actor) -> bool:
    """Return whether the person has or had a seat on any line of the match."""
    return person in list_past_players(matches, match_id) or any(
        info.actor == person for info in matches.get(match_id).seats
    )


def is_alone(study: Study, person: Actor) -> bool:
    """Return whether the person owns the study and no other person could ever write into it."""
    return {study.owner, *study.collaborators, *study.past_collaborators} == {person}


def require_reader(matches: MatchReader, study: Study, person: Actor) -> None:
    """Raise `NotYourStudy` for a private study of others, `StudyClosed` if the person may not read it yet.

    Until a match that counts has ended, its players read only notes into which no other person could ever
    write, and other people read only studies that they write.
    """
    if not study.may_read(person):
        raise NotYourStudy("the study is private")
    if not is_closed(matches, study.match):
        return
    if is_alone(study, person):
        return
    if not study.may_write(person) or plays(matches, study.match, person):
        raise StudyClosed(f"studies of match {study.match} are closed until it has ended")


def require_no_helpers(matches: MatchReader, study: Study, person: Actor) -> None:
    """Raise `StudyRefused` for a player who lets others write into a study before the match has ended."""
    if is_closed(matches, study.match) and plays(matches, study.match, person):
        raise StudyRefused(f"players cannot add co-authors to studies of the match {study.match} until it has ended")


def require_own_work(matches: MatchReader, study: Study, person: Actor) -> None:
    """Reject a study from a file that a player brings before the match has ended, if other people wrote into it."""
    if not is_alone(study, person):
        require_no_helpers(matches, study, person)
