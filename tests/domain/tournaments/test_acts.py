"""Acts of organisers have reasons, and are recorded in the event, the public record and the trail."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.contests.absences import Absences
from domain.eventstore.application import Matches
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.matches.facts import SERVICE
from domain.matches.log.records import Record
from domain.roles.audit import AUDIT, AUDIT_STREAM, EventActed
from domain.roles.commands import change_role
from domain.standings.contest import GivenResult
from domain.titles import TITLES
from domain.tournaments import acts, commands, facts, no_shows, registration, reseating, rounds, substitutes
from domain.tournaments.availability import state_absences
from domain.tournaments.contest_facts import AlternateListed, AlternateRemoved
from domain.tournaments.errors import TournamentRefused
from tests.domain.tournaments.building import AT, BY, EVENT, Story, plan_with, stated_plan
from tests.domain.tournaments.test_commands import BOT, start_event

WHY = "So it was agreed."


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    matches = open_store(store_env(tmp_path / "log.db"))
    yield matches
    matches.close()


def trail(matches: Matches) -> list[EventActed]:
    found = [AUDIT.read(record) for record in matches.streams.records(AUDIT_STREAM)]
    return [fact for fact in found if isinstance(fact, EventActed)]


def act(story: Story, fact: Any) -> acts.Act | None:
    """Return the act that a fact would be at this point."""
    record = Record(
        originator_id=EVENT,
        originator_version=story.version + 1,
        timestamp=AT,
        previous=bytes(32),
        body=msgspec.Raw(msgspec.json.encode(fact)),
    )
    return acts.act_of(story.state, record, fact)


def face_to_face(**plan: Any) -> Story:
    return Story(4, size=2, face_to_face=True, **plan).set(("e1", "e2"), ("e3", "e4"))


# Reasons.


def test_late_and_replaced_results_need_a_reason() -> None:
    story = face_to_face()
    story.take(rounds.enter_result(story.state, 1, 1, (3, 1), (1, 2), BY))
    with pytest.raises(TournamentRefused, match="a change of the result of table 1 of round 1 needs a reason"):
        rounds.enter_result(story.state, 1, 1, (1, 3), (2, 1), BY)
    story.take(rounds.enter_result(story.state, 1, 1, (1, 3), (2, 1), BY, " Misread. "))
    story.take(rounds.enter_result(story.state, 1, 2, (3, 1), (1, 2), BY)).close()
    with pytest.raises(TournamentRefused, match="a result of round 1, which is closed, needs a reason"):
        rounds.enter_result(story.state, 1, 2, (1, 3), (2, 1), BY)

    result = story.state.rounds[0].tables[0].given
    assert result == GivenResult((2, 1), (1, 3), BY, "Misread.")


def test_acts_about_others_need_a_reason_and_own_acts_need_none() -> None:
    story = Story(4)
    with pytest.raises(TournamentRefused, match="the withdrawal of another player needs a reason"):
        registration.withdraw(story.state, "e1", BY)
    assert registration.withdraw(story.state, "e1", "p1") == (facts.EntryWithdrawn("p1", "e1"),)
    story.take(*registration.withdraw(story.state, "e1", BY, WHY))
    with pytest.raises(TournamentRefused, match="the return of another player needs a reason"):
        registration.return_entry(story.state, "e1", BY)
    assert registration.return_entry(story.state, "e1", "p1") == (facts.EntryReturned("p1", "e1"),)


def test_an_absence_that_an_organiser_states_is_an_act_and_an_own_absence_is_none() -> None:
    story = Story(4, size=2)
    (own,) = state_absences(story.state, "e1", Absences((2,)), "p1", AT)
    (ordered,) = state_absences(story.state, "e1", Absences((2,)), BY, AT, WHY)
    recorded = act(story, ordered)

    assert act(story, own) is None
    assert recorded is not None
    assert (recorded.kind, recorded.entries, recorded.reason) == ("absences_stated", ("e1",), WHY)


def test_a_change_of_the_alternates_by_an_organiser_is_an_act() -> None:
    story = Story(4, size=2)

    assert act(story, AlternateListed("zoe", "zoe")) is None
    recorded = act(story, AlternateRemoved(BY, "zoe", WHY))
    assert recorded is not None
    assert (recorded.kind, recorded.actor, recorded.reason) == ("alternate_removed", "zoe", WHY)


def test_substitutes_and_late_plan_changes_need_a_reason() -> None:
    story = Story(4, size=2).set(("e1", "e2"), ("e3", "e4"))
    with pytest.raises(TournamentRefused, match="a substitute needs a reason"):
        substitutes.decide_substitute(story.state, 1, "e1", "sue", BY, "")
    with pytest.raises(TournamentRefused, match="a change of the plan after the start needs a reason"):
        registration.change_plan(TITLES, story.state, stated_plan(name="Other", size=2), BY)
    assert registration.change_plan(TITLES, story.state, stated_plan(name="Other", size=2), BY, WHY).reason == WHY


# The record.


def test_a_withdrawn_result_is_recorded_with_its_values() -> None:
    story = face_to_face()
    story.take(rounds.enter_result(story.state, 1, 1, (3, 1), (1, 2), BY))

    record = act(story, rounds.withdraw_result(story.state, 1, 1, BY))

    assert record is not None
    assert (record.kind, record.table, record.entries) == ("result_withdrawn", 1, ("e1", "e2"))
    assert record.was == GivenResult((1, 2), (3, 1), BY)


def test_every_kind_of_act_names_people_and_details() -> None:
    story = Story(4, size=2, bot=BOT)
    swap_before = story.pair() and rounds.swap(
        story.state, 1, "e1", "e4" if "e4" not in story.tables[0] else "e3", WHY, BY
    )
    recorded = [
        act(story, registration.withdraw(story.state, "e1", BY, WHY)[0]),
        act(story, swap_before),
        act(story, rounds.publish(story.state, 1, {}, BY)),
    ]
    story = Story(4, size=2, bot=BOT).set(("e1", "e2"), ("e3", "e4"))
    recorded += [
        act(story, no_shows.decide_no_show(story.state, 1, "e1", BOT, WHY, BY)),
        act(story, reseating.swap(story.state, 1, "e1", "e3", {}, WHY, BY).fact),
        act(story, substitutes.decide_substitute(story.state, 1, "e1", "sue", BY, WHY)[0]),
        act(story, rounds.rule_table(story.state, 1, 2, (1, 3), (2, 1), WHY, BY)),
        act(story, registration.penalise(story.state, "e2", 60, WHY, BY)),
    ]
    assert all(each is not None and (each.by, each.at, each.reason or WHY) == (BY, AT, WHY) for each in recorded)
    kinds = [each.kind for each in recorded if each is not None]
    assert kinds == [
        "entry_withdrawn",
        "proposal_changed",
        "round_published",
        "no_show_noted",
        "tables_reseated",
        "person_invited",
        "result_ruled",
        "penalty_given",
    ]
    proposal, no_show, reseated, ruling, penalty = recorded[1], recorded[3], recorded[4], recorded[6], recorded[7]
    assert proposal is not None
    assert len(proposal.tables) == 2
    assert no_show is not None
    assert (no_show.entries, no_show.actor) == (("e1",), BOT)
    assert reseated is not None
    assert reseated.tables == ((1, ("e3", "e2")), (2, ("e1", "e4")))
    assert ruling is not None
    assert (ruling.table, ruling.entries, ruling.scores, ruling.places, ruling.was) == (
        2,
        ("e3", "e4"),
        (1, 3),
        (2, 1),
        None,
    )
    assert penalty is not None
    assert penalty.sixtieths == 60


def test_only_late_and_replaced_results_are_acts() -> None:
    story = face_to_face()
    first = rounds.enter_result(story.state, 1, 1, (3, 1), (1, 2), BY)
    assert act(story, first) is None
    story.take(first)
    again = act(story, rounds.enter_result(story.state, 1, 1, (1, 3), (2, 1), BY, WHY))
    old = act(story, facts.ResultEntered(BY, 1, 1, (1, 3), (2, 1)))
    story.take(rounds.enter_result(story.state, 1, 2, (3, 1), (1, 2), BY)).close()
    late = act(story, rounds.enter_result(story.state, 1, 1, (1, 3), (2, 1), BY, WHY))

    assert again is not None
    assert (again.kind, again.was, again.late) == ("result_entered", GivenResult((1, 2), (3, 1), BY), False)
    assert old is not None, "older records have no reason, and are told all the same"
    assert late is not None
    assert late.late


def test_automatic_steps_and_own_changes_are_no_acts() -> None:
    story = Story(4, size=2).pair()

    assert act(story, facts.EntryWithdrawn("p1", "e1")) is None
    assert act(story, facts.RoundPublished(SERVICE, 1, ())) is None
    assert act(story, facts.RoundOpened(1)) is None
    assert act(story, facts.Announced(BY, "Noon.")) is None


def test_console_decisions_are_acts_of_the_service() -> None:
    story = Story(4, size=2).pair().publish()
    penalty = act(story, facts.PenaltyGiven(SERVICE, "e1", 60, WHY))
    result = act(story, facts.ResultEntered(SERVICE, 1, 1, (1, 3), (2, 1), reason=WHY))

    assert penalty is not None
    assert (penalty.by, penalty.kind) == (SERVICE, "penalty_given")
    assert result is not None
    assert act(story, facts.ResultEntered(SERVICE, 1, 1, (1, 3), (2, 1))) is None, "the players' own word"


# The trail.


def test_each_act_is_audited_with_its_record_and_reason(matches: Matches) -> None:
    event = start_event(matches, "ann", "ben")
    entry = event.state.rounds[0].tables[0].entries[0]
    before = len(trail(matches))
    noted = no_shows.record_no_show(matches, EVENT, 1, entry, "", WHY, BY, at=AT)
    ruled = commands.rule_table(
        matches, EVENT, lambda state: rounds.rule_table(state, 1, 1, (1, 3), (2, 1), WHY, BY), at=AT
    )
    audited = trail(matches)

    assert before == 1, "the publication"
    assert [(fact.act, fact.record, fact.reason, fact.event, fact.by) for fact in audited[1:]] == [
        ("no_show_noted", noted.version, WHY, str(EVENT), BY),
        ("result_ruled", ruled.version, WHY, str(EVENT), BY),
    ]
    assert {fact.role for fact in audited} == {"organiser"}


def test_the_trail_names_the_role_and_skips_empty_changes(matches: Matches) -> None:
    commands.open_tournament(matches, EVENT, plan_with(), BY, at=AT)
    change_role(matches, BY, "operator", by=SERVICE, granted=True, at=AT)
    commands.change(matches, EVENT, lambda state: registration.enter(state, "ann", actor="ann"), at=AT)
    assert trail(matches) == []
    commands.change(matches, EVENT, lambda state: registration.penalise(state, "e1", 60, WHY, BY), at=AT)

    (fact,) = trail(matches)
    assert (fact.role, fact.act) == ("operator", "penalty_given")


def test_records_older_than_reasons_are_readable() -> None:
    for stored in (
        b'{"type":"tournament.entry_withdrawn","by":"olga","entry":"e1"}',
        b'{"type":"tournament.substitute_named","by":"olga","round":1,"entry":"e1","actor":"sue"}',
        b'{"type":"tournament.result_entered","by":"olga","round":1,"table":1,"scores":[3,1],"places":[1,2]}',
        b'{"type":"tournament.pairing_edited","by":"olga","round":1,"tables":[],"byes":[],"levels":[],"reasons":[]}',
    ):
        assert msgspec.json.encode(msgspec.json.decode(stored, type=facts.Fact)) == stored


def test_only_entries_against_the_plan_are_acts() -> None:
    story = Story(4, late_entry=False).pair()
    late = registration.enter(story.state, BY, actor="late", as_organiser=True, reason="The train was late.")
    record = act(story, late)

    assert record is not None
    assert (record.kind, record.entries, record.reason) == ("person_invited", (), "The train was late.")
    assert act(Story(4), registration.enter(Story(4).state, BY, actor="early", as_organiser=True)) is None
