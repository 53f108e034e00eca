"""Both verifiers refuse what no official has signed and no rule implies."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import pytest

from domain.eventstore.application import Matches
from domain.eventstore.batch import Batch
from domain.kernel.values import replace
from domain.matches.facts import SERVICE
from domain.matches.play.commands import void
from domain.matches.seats.event_tables import seat_substitute
from domain.proofs.derived import REOPENED
from domain.proofs.event import verify_event
from domain.standings.contest import Stage
from domain.tournaments import commands, facts, registration
from domain.tournaments.invitation_facts import PersonInvited
from domain.tournaments.plan import Plan
from tests.domain.matches.match_helpers import ALL_TITLES, START, commit, play_out, show
from tests.domain.proofs.hall_attacks import AFTER_THE_END, ATTACKS, AUTOMATIC, BEFORE_THE_END, LEAVING_OPEN, Change
from tests.domain.proofs.halls import (
    AUTO_PLAN,
    HALL_PLAN,
    enter_results,
    forge,
    play_automatic,
    play_console_pairing,
    play_console_ruling,
    play_hall,
    write,
)
from tests.domain.proofs.tournament_proofs import (
    CUP,
    PEOPLE,
    Notary,
    appoint_officials,
    as_organiser,
    change_cup,
    close_cup_round,
    cup_file,
    cup_in,
    house_in,
    make_ready,
    open_next_round,
    tables_of,
)
from tests.seeding import one_in
from tests.transparency.second import SecondVerifier
from tests.transparency.whole import PLAN, Cup, file_of


def both(second_verifier: SecondVerifier, matches: Matches, notary: Notary | None = None) -> tuple[Any, Any]:
    """Return the faults that both verifiers find."""
    content = b"".join(cup_file(matches, notary))
    return verify_event(content, titles=ALL_TITLES).fault, second_verifier.examine(content).fault


@pytest.mark.parametrize("name", one_in(3, [name for name, _ in BEFORE_THE_END], "unsigned records"))
def test_both_refuse_an_unsigned_record(second_verifier: SecondVerifier, tmp_path: Path, name: str) -> None:
    matches = play_hall(tmp_path, scored=ATTACKS[name], is_closed=name not in LEAVING_OPEN)
    first, second = both(second_verifier, matches)

    assert first is not None
    assert second is not None
    assert second.part == {"name": "records"}


@pytest.mark.parametrize("name", [name for name, _ in AFTER_THE_END])
def test_both_refuse_an_unsigned_record_after_the_end(
    second_verifier: SecondVerifier, tmp_path: Path, name: str
) -> None:
    first, second = both(second_verifier, play_hall(tmp_path, ended=ATTACKS[name]))
    assert (first is None, second is None) == (False, False)


@pytest.fixture(scope="module")
def automatic(tmp_path_factory: pytest.TempPathFactory) -> Matches:
    return play_automatic(tmp_path_factory.mktemp("automatic"))


def test_both_accept_what_follows_from_rules(second_verifier: SecondVerifier, automatic: Matches) -> None:
    report = second_verifier.examine(b"".join(cup_file(automatic)))

    assert both(second_verifier, automatic) == (None, None)
    assert {"acts_rule", "entries"} <= report.checked_ids
    assert not {"acts_unsigned", "acts_own"} & report.unchecked_ids


@pytest.mark.parametrize("play", [play_console_ruling, play_console_pairing])
def test_both_accept_what_the_console_decides_without_a_rule(
    second_verifier: SecondVerifier, tmp_path: Path, play: Callable[[Path], Matches]
) -> None:
    assert both(second_verifier, play(tmp_path)) == (None, None)


def test_both_refuse_an_end_before_the_three_rounds_of_a_plan_without_stages(
    second_verifier: SecondVerifier, tmp_path: Path
) -> None:
    matches = play_automatic(tmp_path, replace(AUTO_PLAN, stages=Plan(name="Cup", title="toy").stages))
    write(matches, facts.TournamentEnded(SERVICE))
    first, second = both(second_verifier, matches)

    assert first is not None
    assert first.why.endswith("another round must follow")
    assert second is not None
    assert "another round must follow" in second.why


def test_both_refuse_a_stage_that_cannot_follow_by_any_results(second_verifier: SecondVerifier, tmp_path: Path) -> None:
    matches = play_automatic(tmp_path, replace(AUTO_PLAN, stages=(Stage("swiss", 2), Stage("swiss", 1))))
    first, second = both(second_verifier, matches, forge(matches, "pairing_asked", lambda body: body.update(stage=1)))

    assert first is not None
    assert "stage 1 does not follow" in first.why
    assert second is not None
    assert "stage 1 does not follow" in second.why


INVITED: Final = (PersonInvited("olga", "sue", entry="e1", round=1), PersonInvited("olga", "zoe", entry="e1", round=1))


def test_both_refuse_a_substitute_whose_invitation_was_replaced(
    second_verifier: SecondVerifier, tmp_path: Path
) -> None:
    def invites(matches: Matches) -> None:
        for each in INVITED:
            change_cup(matches, lambda _, fact=each: [fact])  # type: ignore[misc]
        write(matches, facts.SubstituteNamed("sue", 1, "e1", "sue", "So."))

    first, second = both(second_verifier, play_hall(tmp_path, opened=invites))

    assert first is not None
    assert "'sue' was not an organiser" in first.why
    assert second is not None
    assert second.part == {"name": "records"}


def test_both_accept_a_table_that_dissolved_before_its_start(second_verifier: SecondVerifier, tmp_path: Path) -> None:
    matches = house_in(tmp_path)
    appoint_officials(matches)
    commands.open_tournament(matches, CUP, replace(HALL_PLAN, face_to_face=False), "olga", at=START)
    for person in PEOPLE:
        change_cup(matches, partial(registration.enter, by=person, actor=person))
    open_next_round(matches, 1, comes=lambda _matches, _match: None)
    first, second = tables_of(matches, 1)
    make_ready(matches, first)
    play_out(matches, matches.get(first))
    matches.transact(lambda batch: batch.append(second, lambda match: void(match, SERVICE, "Too late.")), at=START)
    close_cup_round(matches, 1)

    assert both(second_verifier, matches) == (None, None)


def test_both_accept_a_match_that_still_runs_beside_a_result_on_the_board(
    second_verifier: SecondVerifier, tmp_path: Path
) -> None:
    """The organiser moved the round to a hall after its matches had begun."""
    matches = house_in(tmp_path)
    appoint_officials(matches)
    online = replace(HALL_PLAN, face_to_face=False)
    commands.open_tournament(matches, CUP, online, "olga", at=START)
    for person in PEOPLE:
        change_cup(matches, partial(registration.enter, by=person, actor=person))
    open_next_round(matches, 1)
    hall = replace(online, face_to_face=True)
    as_organiser(
        matches, lambda: commands.change_plan(matches, CUP, hall, "olga", at=START, reason="The network is down.")
    )
    enter_results(matches, 1)
    close_cup_round(matches, 1)

    assert {matches.get(match).status for match in tables_of(matches, 1)} == {"running"}
    assert both(second_verifier, matches) == (None, None)


@pytest.mark.parametrize(("kind", "change"), [each[:2] for each in AUTOMATIC])
def test_both_refuse_what_does_not_follow(
    second_verifier: SecondVerifier, automatic: Matches, kind: str, change: Change
) -> None:
    first, second = both(second_verifier, automatic, forge(automatic, kind, change))
    assert (first is None, second is None) == (False, False)


def test_a_late_entry_without_a_right_is_not_one_of_the_own_acts(second_verifier: SecondVerifier) -> None:
    """Also in records of format 1, whose authors nothing proves."""
    late = Cup()
    late.say("plan_changed", by="olga", plan=PLAN | {"lateEntry": False}, signs=False)
    late.pair(1, [["a", "b"]], ["c"], late.matches[0])
    late.say("round_closed", by="olga", round=1)
    late.say("person_invited", by="olga", actor="eva", signs=False)
    for entry, actor in (("d", "dora"), ("e", "eva")):
        late.say("entry_made", by=actor, entry=entry, actor=actor, signs=False)
        late.say("entry_withdrawn", by=actor, entry=entry, signs=False)
    late.play_rest()
    content = file_of(late.lines())
    first, second = verify_event(content), second_verifier.examine(content)

    assert (first.fault, second.fault) == (None, None)
    assert "not signed: entry_made by dora in record 11" in first.unchecked
    what = {each["id"]: each["values"]["what"] for each in second.unchecked if each["id"].startswith("acts_")}
    assert "entry_made (11)" in what["acts_unsigned"]
    assert what["acts_own"] == "entry_made (2, 3, 4, 13), entry_withdrawn (12, 14)"


@pytest.mark.parametrize(("count", "is_good"), [(2, True), (4, False)])
def test_both_count_how_often_the_luck_of_a_table_was_replaced(
    second_verifier: SecondVerifier, tmp_path: Path, count: int, is_good: bool
) -> None:
    """The owner of the store seats a substitute and the entrant again, as often as it likes."""
    matches = house_in(tmp_path)
    appoint_officials(matches)
    commands.open_tournament(matches, CUP, replace(HALL_PLAN, face_to_face=False), "olga", at=START)
    for person in ("anna", "bea"):
        change_cup(matches, partial(registration.enter, by=person, actor=person))
    open_next_round(matches, 1, comes=lambda _matches, _match: None)
    (match_id,) = tables_of(matches, 1)
    for number in range(count):
        replace_luck(matches, match_id, "sue" if number % 2 == 0 else "")
    for seat, info in enumerate(matches.get(match_id).seats):
        commit(matches, match_id, seat, info.actor or "", 9)
    for seat, info in enumerate(matches.get(match_id).seats):
        show(matches, match_id, seat, info.actor or "", 9)
    play_out(matches, matches.get(match_id))
    close_cup_round(matches, 1)
    content = b"".join(cup_file(matches))
    first, second = verify_event(content, titles=ALL_TITLES), second_verifier.examine(content)

    assert (first.is_good, second.fault is None) == (is_good, is_good), first.fault
    if is_good:
        assert REOPENED.format(round=1, table=1, count=2) in first.noted
        assert {"id": "reopened", "values": {"what": "1/1: 2"}} in second.checked


def replace_luck(matches: Matches, match_id: UUID, substitute: str) -> None:
    """Close a table, and seat a substitute, or the entrant again, in the first seat."""
    for seat, info in enumerate(matches.get(match_id).seats):
        commit(matches, match_id, seat, info.actor or "", 1)
    table = cup_in(matches).rounds[0].tables[0]
    entry = cup_in(matches).entry(table.entries[0])
    assert entry is not None
    entrant = entry.actor

    def seat_other(batch: Batch) -> Any:
        return seat_substitute(batch, batch.match(match_id), 0, substitute or entrant, entrant if substitute else "")

    matches.transact(seat_other, at=START)
