"""Disputes: raised, examined, ruled on, appealed once, and refused if invalid."""

import pytest

from domain.disputes import commands
from domain.disputes.errors import AppealRefused, ArbiterPlays, DisputeRefused, DisputeSettled, NotAParty
from domain.disputes.state import DISPUTE, Dispute
from domain.eventstore.application import Matches
from domain.matches.errors import ForkRefused, NoSuchEntry, NoSuchStream, RulingRefused
from domain.matches.facts import SERVICE, Resumed
from domain.matches.rulings.measures import LineResumed, MatchVoided, PointsTaken, ResultSet, SeatWarned
from domain.matches.rulings.ruling import counted_result, points_taken
from domain.roles.audit import AUDIT, AUDIT_STREAM
from domain.roles.commands import change_role, note_export, note_import, sync_operators, trail, trail_record
from domain.roles.errors import RoleMissing
from tests.domain.disputes.disputing import (
    CLOCKS,
    HOLDING,
    D,
    E,
    M,
    R,
    S,
    W,
    end_match,
    file_appeal,
    give_ruling,
    raise_dispute,
    start_running_match,
)
from tests.domain.matches.match_helpers import BOT, START, facts, play_out, uuid, verify_log


def audit(matches: Matches) -> list[str]:
    return [record.tag for record in matches.streams.records(AUDIT_STREAM)]


# Raising.


def test_raising_a_dispute_is_idempotent(matches: Matches) -> None:
    match = start_running_match(matches)

    dispute = raise_dispute(matches, match.version)
    again = raise_dispute(matches, match.version)

    assert dispute == again
    assert dispute.state == Dispute(M, M, match.version, 0, "anna", "That was wrong.", "", raised_at=START)
    assert matches.get(M).status == "running"


def test_a_player_has_one_waiting_dispute_at_a_time(matches: Matches) -> None:
    match = start_running_match(matches)
    raise_dispute(matches, match.version)
    with pytest.raises(DisputeRefused, match="waiting for a ruling"):
        raise_dispute(matches, match.version, id=E)
    raise_dispute(matches, match.version, by="bea", id=E)
    give_ruling(matches, 100)

    assert raise_dispute(matches, match.version, id=uuid(52)).state.status == "open"


def test_invalid_disputes_are_refused(matches: Matches) -> None:
    match = start_running_match(matches)
    with pytest.raises(NotAParty, match="'dora' does not play"):
        raise_dispute(matches, match.version, by="dora")
    with pytest.raises(DisputeRefused, match="choose an entry from 8 to"):
        raise_dispute(matches, 6)
    with pytest.raises(DisputeRefused, match="not 99"):
        raise_dispute(matches, 99)
    for reason, why in (("  ", "give a reason"), ("x" * 4001, "at most 4000")):
        with pytest.raises(DisputeRefused, match=why):
            commands.open_dispute(
                matches, D, M, entry=match.version, by="anna", reason=reason, at=START, players=frozenset()
            )
    matches.open(S, title="toy", seats=2, by="anna", at=START)
    matches.take_seat(S, 0, "anna", at=START)
    with pytest.raises(DisputeRefused, match="has not started"):
        raise_dispute(matches, 2, line=S)


def test_the_player_who_raised_a_dispute_withdraws_it_and_the_match_resumes(matches: Matches) -> None:
    match = start_running_match(matches, HOLDING)
    raise_dispute(matches, match.version)
    assert matches.get(M).docket.held_by == str(D)
    with pytest.raises(NotAParty):
        commands.withdraw_dispute(matches, D, by="bea", at=START, players=frozenset())

    dispute = commands.withdraw_dispute(matches, D, by="anna", at=START, players=frozenset())

    assert dispute.state.status == "withdrawn"
    assert facts(matches, M)[-1] == Resumed(SERVICE, charged=0)
    with pytest.raises(DisputeSettled, match="was withdrawn"):
        commands.withdraw_dispute(matches, D, by="anna", at=START, players=frozenset())
    with pytest.raises(DisputeSettled, match="was withdrawn"):
        give_ruling(matches, 100)
    verify_log(matches, M)


def test_the_match_is_paused_until_the_last_dispute_is_settled(matches: Matches) -> None:
    match = start_running_match(matches, HOLDING)
    raise_dispute(matches, match.version)
    raise_dispute(matches, match.version, by="bea", id=E)
    assert matches.get(M).docket.held_by == str(D)

    give_ruling(matches, 100, SeatWarned(1))
    assert (matches.get(M).status, matches.get(M).docket.held_by) == ("paused", str(E))
    give_ruling(matches, 101, id=E)

    assert matches.get(M).status == "running"
    verify_log(matches, M)


# Ruling.


def test_a_ruling_is_recorded_in_the_log_the_dispute_and_the_trail(matches: Matches) -> None:
    match = end_match(matches)
    assert match.result is not None
    raise_dispute(matches, 12)
    commands.assign(matches, D, by="ada", at=START)

    dispute = give_ruling(matches, 100, PointsTaken(0, 2), by="ada")

    (ruling,) = dispute.state.rulings
    assert (dispute.state.status, dispute.state.arbiter) == ("ruled", "ada")
    assert (ruling.ruling.by, ruling.ruling.role, ruling.ruling.rule) == ("ada", "arbiter", "4.2")
    assert ruling.ruling.before.scores == match.result.scores
    assert ruling.ruling.after.scores[0] == match.result.scores[0] - 2
    assert ruling.ruling.after.penalties == (2, 0, 0)
    assert points_taken(matches.get(M)) == (2, 0, 0)
    assert audit(matches)[-2:] == ["audit.dispute_taken", "audit.ruling_made"]
    verify_log(matches, M)


def test_of_two_simultaneous_rulings_one_wins_and_the_other_is_refused_with_it(matches: Matches) -> None:
    match = start_running_match(matches)
    raise_dispute(matches, match.version)
    first = give_ruling(matches, 100, SeatWarned(0), by="art")

    with pytest.raises(DisputeSettled, match=r"art ruled on this dispute at .*: So it is"):
        give_ruling(matches, 101, MatchVoided(), by="ada")

    assert give_ruling(matches, 100, SeatWarned(0), by="art") == first, "the same ruling again is the same ruling"
    assert matches.get(M).status == "running"


def test_only_an_arbiter_who_does_not_play_there_may_rule(matches: Matches) -> None:
    match = start_running_match(matches)
    raise_dispute(matches, match.version)
    change_role(matches, "bea", "arbiter", by=SERVICE, granted=True, at=START)
    with pytest.raises(ArbiterPlays, match="'bea' plays in the match"):
        give_ruling(matches, 100, by="bea")
    with pytest.raises(RoleMissing, match="'dora' is not an arbiter"):
        give_ruling(matches, 100, by="dora")
    with pytest.raises(ArbiterPlays):
        commands.see_hidden(matches, D, by="bea", entry=match.version, at=START)
    with pytest.raises(RoleMissing):
        commands.assign(matches, D, by="dora", at=START)
    with pytest.raises(NoSuchStream):
        give_ruling(matches, 100, id=E)


def test_an_arbiter_of_another_event_may_not_rule(matches: Matches) -> None:
    match = start_running_match(matches)
    raise_dispute(matches, match.version)
    change_role(matches, "eva", "arbiter", by=SERVICE, granted=True, at=START, scope="another")

    with pytest.raises(RoleMissing):
        give_ruling(matches, 100, by="eva")


def test_access_to_hidden_information_of_a_running_match_is_audited(matches: Matches) -> None:
    match = start_running_match(matches)
    raise_dispute(matches, match.version)
    commands.see_hidden(matches, D, by="art", entry=match.version - 1, at=START)
    record = matches.streams.records(AUDIT_STREAM)[-1]
    access = AUDIT.read(record)
    play_out(matches, match)
    before = matches.last_position()

    commands.see_hidden(matches, D, by="art", entry=match.version, at=START)

    assert (access.by, getattr(access, "version", 0), getattr(access, "dispute", None)) == ("art", match.version - 1, D)
    assert matches.last_position() == before, "nothing is hidden any more"


def test_taking_a_dispute_is_idempotent(matches: Matches) -> None:
    raise_dispute(matches, start_running_match(matches).version)
    first = commands.assign(matches, D, by="art", at=START)

    assert commands.assign(matches, D, by="art", at=START) == first
    assert commands.assign(matches, D, by="ada", at=START).state.arbiter == "ada"


# Resuming.


def test_a_match_resumes_from_an_entry_with_the_same_people_and_clocks(matches: Matches) -> None:
    match = start_running_match(matches, HOLDING)
    raise_dispute(matches, match.version)
    give_ruling(matches, 100, SeatWarned(2))
    raise_dispute(matches, match.version, by="bea", id=E)

    dispute = give_ruling(matches, 101, LineResumed(match.version - 2, ""), PointsTaken(1, 4), id=E, line=R)

    line = matches.get(R)
    ruling = dispute.state.rulings[0].ruling
    assert (ruling.line, ruling.after.line, ruling.after.status) == (R, R, "waiting")
    assert (ruling.before.line, matches.get(M).status) == (M, "superseded")
    assert [type(fact).__name__ for fact in facts(matches, R)[-3:]] == ["MatchForked", "RulingGiven", "RulingGiven"]
    assert facts(matches, R)[-3].clocks == CLOCKS
    assert points_taken(line) == (0, 4, 0)
    assert [known.ruling for known in line.docket.rulings] == [str(uuid(100)), str(uuid(101))]
    over = play_out(matches, line)
    result = counted_result(over)
    assert result is not None
    assert over.result is not None
    assert result.scores[1] == over.result.scores[1] - 4
    verify_log(matches, M)
    verify_log(matches, R)
    with pytest.raises(DisputeRefused, match=f"was replaced by {R}"):
        raise_dispute(matches, match.version, by="carl", id=uuid(52))


def test_a_set_result_is_dropped_when_the_match_is_resumed(matches: Matches) -> None:
    over = end_match(matches)
    raise_dispute(matches, 12)
    give_ruling(matches, 100, ResultSet((9, 8, 7), (1, 2, 3)))
    raise_dispute(matches, 13, by="bea", id=E)

    give_ruling(matches, 101, LineResumed(14, ""), id=E, line=R)

    assert [known.ruling for known in matches.get(R).docket.rulings] == [str(uuid(101))]
    assert over.version < matches.get(M).version
    verify_log(matches, R)


def test_a_dispute_about_a_superseded_line_is_ruled_on_the_one_that_counts(matches: Matches) -> None:
    match = start_running_match(matches)
    raise_dispute(matches, match.version)
    raise_dispute(matches, match.version, by="bea", id=E)
    give_ruling(matches, 100, LineResumed(match.version - 3, ""), line=R)

    with pytest.raises(RulingRefused, match="can be resumed from"):
        give_ruling(matches, 101, LineResumed(match.version, ""), id=E, line=S)
    give_ruling(matches, 101, MatchVoided(), id=E)

    assert matches.get(R).status == "void"
    assert matches.get(M).status == "superseded"


def test_a_line_is_not_resumed_from_after_its_end(matches: Matches) -> None:
    over = end_match(matches)
    raise_dispute(matches, 12)
    give_ruling(matches, 100, SeatWarned(0))
    file_appeal(matches)

    with pytest.raises(RulingRefused, match="was over at entry"):
        give_ruling(matches, 101, LineResumed(over.version, ""), by="hella", line=R)
    with pytest.raises(RulingRefused, match="where no player has to act"):
        give_ruling(matches, 101, LineResumed(over.version - 1, ""), by="hella", line=R)
    assert not matches.lines.has(R)


# What-ifs.


def test_a_what_if_of_a_dispute_ends_with_the_ruling(matches: Matches) -> None:
    match = start_running_match(matches)
    raise_dispute(matches, match.version)
    wanted = {"new_line": W, "entry": match.version - 1, "by": "art", "seats": (BOT, BOT, "art"), "at": START}

    line = commands.what_if(matches, D, **wanted)  # type: ignore[arg-type]  # one dictionary for both calls

    assert commands.what_if(matches, D, **wanted) == line  # type: ignore[arg-type]  # as above
    assert line.docket.dispute == str(D)
    assert audit(matches)[-1] == "audit.running_forked"
    assert [known.line for known in matches.streams.get(DISPUTE, D).state.what_ifs] == [W]
    with pytest.raises(NotAParty):
        raise_dispute(matches, match.version, by="anna", id=E, line=W)
    with pytest.raises(DisputeRefused, match="is a what-if"):
        raise_dispute(matches, match.version, by="art", id=E, line=W)
    give_ruling(matches, 100)
    assert matches.get(W).status == "void"
    play_out(matches, matches.get(M))
    assert matches.lines.last_closed_version(M) == 0
    verify_log(matches, W)
    with pytest.raises(DisputeSettled):
        commands.what_if(matches, D, **wanted | {"new_line": S})  # type: ignore[arg-type]  # as above


def test_no_player_is_seated_in_a_what_if_and_a_finished_one_stays(matches: Matches) -> None:
    match = start_running_match(matches)
    raise_dispute(matches, match.version)
    with pytest.raises(ForkRefused, match="only bots and the arbiter"):
        commands.what_if(matches, D, new_line=W, entry=match.version, by="art", seats=("anna", BOT, BOT), at=START)
    with pytest.raises(ForkRefused, match="had not started"):
        commands.what_if(matches, D, new_line=W, entry=3, by="art", seats=(BOT,) * 3, at=START)
    line = commands.what_if(matches, D, new_line=W, entry=match.version, by="art", seats=(BOT, BOT, None), at=START)
    matches.void(line.id, SERVICE, at=START)

    give_ruling(matches, 100)

    assert matches.get(W).status == "void"


def test_an_arbiter_forks_a_running_match_for_officials_only(matches: Matches) -> None:
    match = start_running_match(matches)
    wanted = {"new_line": W, "entry": match.version - 1, "role": "arbiter", "seats": (BOT,) * 3, "at": START}

    line = commands.fork_running(matches, M, by="art", **wanted)  # type: ignore[arg-type]  # as above

    assert commands.fork_running(matches, M, by="art", **wanted) == line  # type: ignore[arg-type]  # as above
    assert line.docket.dispute == commands.WITHOUT_DISPUTE
    with pytest.raises(ForkRefused, match="has no entry 999"):
        commands.fork_running(matches, M, by="art", **wanted | {"entry": 999, "new_line": S})  # type: ignore[arg-type]  # as above
    assert audit(matches)[-1] == "audit.running_forked"
    with pytest.raises(ArbiterPlays):
        commands.fork_running(matches, M, by="anna", **wanted)  # type: ignore[arg-type]  # as above


# Appeals.


def test_a_ruling_is_appealed_once_and_a_head_arbiter_decides(matches: Matches) -> None:
    start_running_match(matches, HOLDING)
    raise_dispute(matches, matches.get(M).version)
    dispute = give_ruling(matches, 100, PointsTaken(0, 3), by="ada")
    assert (dispute.state.arbiter, dispute.state.deciding_arbiter) == (None, "ada"), "nobody had taken it up"
    dispute = file_appeal(matches)
    assert dispute.state.deciding_arbiter is None
    assert (dispute.state.status, matches.get(M).docket.held_by) == ("appealed", str(D))
    with pytest.raises(RoleMissing, match="is not a head arbiter"):
        give_ruling(matches, 101, by="ada")
    with pytest.raises(AppealRefused, match="appealed once"):
        file_appeal(matches, "carl")

    dispute = give_ruling(matches, 101, PointsTaken(0, 1), by="hella")

    assert (dispute.state.status, dispute.state.deciding_arbiter) == ("closed", "hella")
    assert points_taken(matches.get(M)) == (1, 0, 0)
    assert matches.get(M).status == "running"
    with pytest.raises(AppealRefused, match="appealed once"):
        file_appeal(matches)
    with pytest.raises(DisputeSettled, match="hella ruled on this dispute"):
        give_ruling(matches, 102, by="hella")
    verify_log(matches, M)


def test_a_ruling_may_be_upheld_but_not_by_its_author(matches: Matches) -> None:
    end_match(matches)
    raise_dispute(matches, 12)
    with pytest.raises(AppealRefused, match="no ruling to appeal: the dispute is open"):
        file_appeal(matches)
    give_ruling(matches, 100, PointsTaken(0, 3), by="hella")
    file_appeal(matches)
    with pytest.raises(AppealRefused, match="cannot hear the appeal"):
        give_ruling(matches, 101, by="hella", upheld=True)
    change_role(matches, "hugo", "head_arbiter", by=SERVICE, granted=True, at=START)
    with pytest.raises(NotAParty):
        file_appeal(matches, "dora")

    give_ruling(matches, 101, by="hugo", upheld=True)

    assert points_taken(matches.get(M)) == (3, 0, 0)


# Operators.


def test_exports_imports_and_operators_are_audited(matches: Matches) -> None:
    start_running_match(matches)
    sync_operators(matches, ("olga",), at=START)
    before = trail(matches)
    sync_operators(matches, ("olga",), at=START)
    assert trail(matches) == before

    note_export(matches, M, by="olga", whole=True, at=START)
    note_import(matches, M, "ab", by="olga", at=START)

    assert audit(matches)[-2:] == ["audit.log_exported", "audit.log_imported"]
    after = trail(matches)
    assert after is not None
    assert trail_record(matches, after.version).tag == "audit.log_imported"
    with pytest.raises(NoSuchEntry):
        trail_record(matches, after.version + 1)
