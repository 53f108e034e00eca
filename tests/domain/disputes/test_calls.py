"""Players call arbiters to tables of events, one call at a time."""

from datetime import timedelta

import pytest

from domain.disputes.call_commands import answer_call, attend_call, call_arbiter, calls_of, withdraw_call
from domain.disputes.calls import CALL_AGAIN_AFTER, CALLS, CALLS_MAX, WORDS_MAX, Call, calls_stream
from domain.disputes.errors import ArbiterPlays, CallRefused, NotAParty
from domain.eventstore.application import Matches
from domain.matches.facts import SERVICE
from domain.matches.log.records import check_records
from domain.roles.commands import change_role
from domain.roles.errors import RoleMissing
from domain.roles.state import opener_grant
from tests.domain.disputes.disputing import CUP, M, at_table_of_cup, start_running_match
from tests.domain.matches.match_helpers import START, play_out

LATER = START + timedelta(hours=1)


def calls(matches: Matches, by: str = "anna", words: str = "A word, please.", minutes: int = 0) -> Call:
    return call_arbiter(matches, M, by=by, words=words, at=LATER + timedelta(minutes=minutes)).state.newest


def test_a_call_is_handled_and_answered_without_changing_the_match(matches: Matches) -> None:
    match = at_table_of_cup(matches)
    assert calls_of(matches, M) is None
    call = calls(matches, words="  Who has the die?  ")
    again = calls(matches)
    looking = attend_call(matches, M, by="art", is_here=False, at=LATER)
    assert attend_call(matches, M, by="art", is_here=False, at=LATER).version == looking.version
    attended = attend_call(matches, M, by="ada", is_here=True, at=LATER).state.newest
    answered = answer_call(matches, M, by="ada", words="The second.", at=LATER).state.newest

    assert (call.words, call.seat, call.entry, call.event) == ("Who has the die?", 0, match.version, CUP)
    assert again == call
    assert (looking.state.newest.status, looking.state.newest.official) == ("looking", "art")
    assert (attended.status, attended.official, attended.is_waiting) == ("here", "ada", True)
    assert (answered.status, answered.answer, answered.is_waiting) == ("answered", "The second.", False)
    assert matches.get(M).version == match.version
    check_records(matches.streams.records(calls_stream(M)))
    found = calls_of(matches, M)
    assert found is not None
    assert found.newest == answered
    assert CALLS.name == "call"


def test_the_events_organiser_may_answer_a_call_but_no_player(matches: Matches) -> None:
    at_table_of_cup(matches)
    calls(matches)
    for person in ("bea", "olga"):
        with pytest.raises(RoleMissing):
            attend_call(matches, M, by=person, is_here=True, at=LATER)
    change_role(matches, "carl", "arbiter", by=SERVICE, granted=True, at=START)
    with pytest.raises(ArbiterPlays):
        answer_call(matches, M, by="carl", words="", at=LATER)

    came = attend_call(matches, M, by="olga", is_here=True, at=LATER, openers=(opener_grant("olga", CUP, START),))

    assert came.state.newest.official == "olga"


def test_only_the_caller_withdraws_a_call(matches: Matches) -> None:
    at_table_of_cup(matches)
    with pytest.raises(CallRefused, match="no call is waiting"):
        withdraw_call(matches, M, by="anna", at=LATER)
    with pytest.raises(CallRefused, match="no call is waiting"):
        answer_call(matches, M, by="art", words="", at=LATER)
    calls(matches)
    with pytest.raises(NotAParty, match="only the player who called"):
        withdraw_call(matches, M, by="bea", at=LATER)
    with pytest.raises(NotAParty, match="does not play"):
        withdraw_call(matches, M, by="art", at=LATER)

    assert withdraw_call(matches, M, by="anna", at=LATER).state.newest.status == "withdrawn"
    with pytest.raises(CallRefused, match="no call is waiting"):
        attend_call(matches, M, by="art", is_here=False, at=LATER)


def test_calls_are_limited(matches: Matches) -> None:
    at_table_of_cup(matches)
    calls(matches)
    with pytest.raises(CallRefused, match="has already been called to this table"):
        calls(matches, by="bea")
    withdraw_call(matches, M, by="anna", at=LATER)
    with pytest.raises(CallRefused, match="wait a minute"):
        calls(matches)
    calls(matches, by="bea")
    withdraw_call(matches, M, by="bea", at=LATER)
    calm = int(CALL_AGAIN_AFTER.total_seconds()) // 60
    for number in range(1, CALLS_MAX):
        calls(matches, minutes=number * calm)
        withdraw_call(matches, M, by="anna", at=LATER + timedelta(minutes=number * calm))

    with pytest.raises(CallRefused, match=f"{CALLS_MAX} times"):
        calls(matches, minutes=60)
    with pytest.raises(CallRefused, match=f"at most {WORDS_MAX}"):
        calls(matches, by="bea", words="x" * (WORDS_MAX + 1), minutes=60)
    with pytest.raises(NotAParty):
        calls(matches, by="art", minutes=60)


def test_calls_need_an_event_and_a_running_match(matches: Matches) -> None:
    start_running_match(matches)
    with pytest.raises(CallRefused, match="only at tables of events"):
        calls(matches)


def test_no_calls_after_the_end(matches: Matches) -> None:
    play_out(matches, at_table_of_cup(matches))
    with pytest.raises(CallRefused, match="is over"):
        calls(matches)
