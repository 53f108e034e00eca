"""Access through what-ifs and replaced parts is audited while anything there is hidden."""

from uuid import UUID

from domain.disputes import commands, hidden_access
from domain.eventstore.application import Matches
from domain.matches.facts import SERVICE
from domain.matches.rulings.measures import LineResumed
from domain.roles.audit import AUDIT, AUDIT_STREAM, HiddenSeen
from domain.roles.commands import change_role
from tests.domain.disputes.disputing import D, M, R, S, W, give_ruling, raise_dispute, start_running_match
from tests.domain.matches.match_helpers import BOT, START, play_out


def newest(matches: Matches) -> HiddenSeen | None:
    """Return the latest record of the trail if it is an access to hidden information."""
    fact = AUDIT.read(matches.streams.records(AUDIT_STREAM)[-1])
    return fact if isinstance(fact, HiddenSeen) else None


def looks_at(matches: Matches, line: UUID, by: str) -> HiddenSeen | None:
    """Read a line as a person and return the access record, if any."""
    before = matches.last_position()
    hidden_access.record_hidden_access(matches, line, by=by, at=START)
    return None if matches.last_position() == before else newest(matches)


def test_reading_another_arbiters_what_if_is_audited(matches: Matches) -> None:
    match = start_running_match(matches)
    raise_dispute(matches, match.version)
    commands.what_if(matches, D, new_line=W, entry=match.version - 1, by="art", seats=(BOT,) * 3, at=START)
    commands.fork_running(
        matches, M, new_line=S, entry=match.version, by="art", role="arbiter", seats=(BOT,) * 3, at=START
    )

    access, own = looks_at(matches, W, "ada"), looks_at(matches, W, "art")

    assert own is None, "who made it is kept since then"
    assert access is not None
    assert (access.by, access.role, access.match, access.version, access.dispute) == (
        "ada",
        "arbiter",
        M,
        match.version - 1,
        D,
    )
    assert str(W) in access.why
    free = looks_at(matches, S, "ada")
    assert free is not None
    assert (free.match, free.version, free.dispute) == (M, match.version, None)
    assert looks_at(matches, W, "dora") is None, "whoever holds no role is shown nothing"
    give_ruling(matches, 100)
    play_out(matches, matches.get(M))
    assert looks_at(matches, W, "ada") is None, "nothing is hidden any more"


def test_reading_a_replaced_part_before_its_replacement_has_ended_is_audited(matches: Matches) -> None:
    match = start_running_match(matches)
    change_role(matches, "bea", "arbiter", by=SERVICE, granted=True, at=START)
    raise_dispute(matches, match.version)
    assert looks_at(matches, M, "ada") is None
    give_ruling(matches, 100, LineResumed(match.version - 2, ""), line=R)

    access = looks_at(matches, M, "ada")

    assert access is not None
    assert (access.match, access.version, access.why) == (M, matches.get(M).version, "the part that was replaced")
    assert looks_at(matches, M, "bea") is None, "a player does not read it at all"
    play_out(matches, matches.get(R))
    assert looks_at(matches, M, "ada") is None
