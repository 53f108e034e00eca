"""Sanctions of a series: given, lifted, appealed and over, with the audit trail and without a reason in any record."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from domain.contests.sanction_commands import (
    appeal_sanction,
    decide_appeal,
    give_sanction,
    lift_sanction,
    sanctions_of,
)
from domain.contests.sanctions import (
    SANCTIONS,
    NoSuchSanction,
    Sanction,
    SanctionKind,
    SanctionRefused,
    Series,
    evolve,
)
from domain.eventstore.application import Matches
from domain.matches.errors import UnknownActor
from domain.matches.facts import SERVICE
from domain.matches.log.records import check_records
from domain.roles.audit import AUDIT, AUDIT_STREAM, PersonSanctioned

AT = datetime(2026, 12, 1, tzinfo=UTC)
END = AT + timedelta(days=90)
LEAGUE = Series("league", str(UUID(int=9)))
FIRST, SECOND = UUID(int=1), UUID(int=2)


def give(
    matches: Matches,
    sanction: UUID = FIRST,
    *,
    kind: SanctionKind = "exclusion",
    until: datetime = END,
    person: str = "ann",
    by: str = "olga",
    at: datetime = AT,
) -> Sanction:
    return give_sanction(matches, LEAGUE, sanction, person, kind, until, by=by, at=at).sanction(sanction)


def acts(matches: Matches) -> list[tuple[str, str, str]]:
    """Return the role, the person and the act of each line of the audit trail."""
    found = [AUDIT.read(record) for record in matches.streams.records(AUDIT_STREAM)]
    return [(fact.role, fact.person, fact.act) for fact in found if isinstance(fact, PersonSanctioned)]


def test_an_exclusion_holds_until_its_end_without_any_job(matches: Matches) -> None:
    given = give(matches)
    state = sanctions_of(matches, LEAGUE)

    assert state.exclusion_of("ann", END - timedelta(seconds=1)) == given
    assert state.exclusion_of("ann", END) is None
    assert state.exclusion_of("ben", AT) is None
    assert acts(matches) == [("organiser", "ann", "excluded")]


def test_a_series_without_sanctions_excludes_nobody(matches: Matches) -> None:
    state = sanctions_of(matches, Series("organiser", "olga"))

    assert state.exclusion_of("ann", AT) is None
    with pytest.raises(NoSuchSanction, match=f"no sanction {FIRST} in organiser/olga"):
        state.sanction(FIRST)
    with pytest.raises(NoSuchSanction):
        lift_sanction(matches, LEAGUE, FIRST, by="olga", at=AT)


def test_a_warning_excludes_nobody(matches: Matches) -> None:
    give(matches, kind="warning")

    assert sanctions_of(matches, LEAGUE).exclusion_of("ann", AT) is None
    assert acts(matches) == [("organiser", "ann", "warned")]


def test_the_same_sanction_again_changes_nothing(matches: Matches) -> None:
    assert give(matches) == give(matches, at=AT + timedelta(days=1))
    assert len(matches.streams.records(LEAGUE.stream_id)) == 1


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"until": AT}, SanctionRefused, r"the end of the sanction, 2026-12-01T00:00:00.00:00, is in the past"),
        ({"until": AT + timedelta(days=2_000)}, SanctionRefused, "is more than 5 years from now"),
        ({"person": "olga"}, SanctionRefused, "nobody can sanction themselves"),
        ({"person": "bot:greedy@1"}, SanctionRefused, "'bot:greedy@1' is a bot of the service"),
        ({"person": "no such id!"}, UnknownActor, "no such id!"),
        ({"by": "no such id!"}, UnknownActor, "no such id!"),
    ],
)
def test_impossible_sanctions_are_refused(
    matches: Matches, changes: dict[str, object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        give(matches, **changes)  # type: ignore[arg-type]
    assert matches.streams.find(SANCTIONS, LEAGUE.stream_id) is None


def test_a_second_exclusion_waits_for_the_end_of_the_first(matches: Matches) -> None:
    give(matches)

    with pytest.raises(SanctionRefused, match=r"'ann' is excluded until 2027-03-01T00:00:00.00:00 already"):
        give(matches, SECOND)
    give(matches, SECOND, kind="warning")
    third = give(matches, UUID(int=3), until=END + timedelta(days=9), at=END)

    assert sanctions_of(matches, LEAGUE).exclusion_of("ann", END) == third


def test_a_lifted_exclusion_ends_at_once(matches: Matches) -> None:
    give(matches)
    lift_sanction(matches, LEAGUE, FIRST, by="otto", at=AT + timedelta(days=1))
    state = sanctions_of(matches, LEAGUE)

    assert state.exclusion_of("ann", AT + timedelta(days=2)) is None
    assert state.sanction(FIRST).lifted_by == "otto"
    with pytest.raises(SanctionRefused, match="the sanction is over since 2026-12-02"):
        lift_sanction(matches, LEAGUE, FIRST, by="otto", at=AT + timedelta(days=2))
    assert acts(matches)[1:] == [("organiser", "ann", "lifted")]


def test_the_person_appeals_once_and_while_the_sanction_holds(matches: Matches) -> None:
    give(matches)
    give(matches, SECOND, person="ben")

    with pytest.raises(SanctionRefused, match="only the person whom a sanction is about can appeal"):
        appeal_sanction(matches, LEAGUE, FIRST, by="ben", at=AT)
    with pytest.raises(SanctionRefused, match="the sanction is over since 2027-03-01"):
        appeal_sanction(matches, LEAGUE, SECOND, by="ben", at=END)
    appeal_sanction(matches, LEAGUE, FIRST, by="ann", at=AT)
    with pytest.raises(SanctionRefused, match="a sanction can be appealed once"):
        appeal_sanction(matches, LEAGUE, FIRST, by="ann", at=AT)

    assert sanctions_of(matches, LEAGUE).sanction(FIRST).has_open_appeal
    assert len(acts(matches)) == 2, "an appeal uses no role"


@pytest.mark.parametrize(("lifted", "act"), [(True, "appeal_granted"), (False, "appeal_rejected")])
def test_another_official_decides_about_an_appeal(matches: Matches, lifted: bool, act: str) -> None:
    give(matches)
    with pytest.raises(SanctionRefused, match="no appeal against this sanction waits for a decision"):
        decide_appeal(matches, LEAGUE, FIRST, lifted=lifted, by="otto", at=AT)
    appeal_sanction(matches, LEAGUE, FIRST, by="ann", at=AT)

    for party in ("olga", "ann"):
        with pytest.raises(SanctionRefused, match="someone else has to decide about this appeal"):
            decide_appeal(matches, LEAGUE, FIRST, lifted=lifted, by=party, at=AT)
    with pytest.raises(SanctionRefused, match="the sanction is over"):
        decide_appeal(matches, LEAGUE, FIRST, lifted=lifted, by="otto", at=END)
    decide_appeal(matches, LEAGUE, FIRST, lifted=lifted, by="otto", at=AT)
    state = sanctions_of(matches, LEAGUE)

    assert (state.exclusion_of("ann", AT) is None) == lifted
    assert state.sanction(FIRST).decided_by == "otto"
    assert not state.sanction(FIRST).has_open_appeal
    assert acts(matches)[-1] == ("organiser", "ann", act)
    with pytest.raises(SanctionRefused):
        decide_appeal(matches, LEAGUE, FIRST, lifted=lifted, by="otto", at=AT)


def test_the_service_acts_as_an_operator(matches: Matches) -> None:
    give(matches, by=SERVICE)

    assert acts(matches) == [("operator", "ann", "excluded")]


def test_records_of_sanctions_form_a_chain_and_name_no_reason(matches: Matches) -> None:
    give(matches)
    appeal_sanction(matches, LEAGUE, FIRST, by="ann", at=AT)
    records = matches.streams.records(LEAGUE.stream_id)

    assert check_records(records) != bytes(32)
    assert [record.tag for record in records] == ["sanctions.sanction_given", "sanctions.sanction_appealed"]
    assert not any("reason" in bytes(record.body).decode() for record in records)


def test_a_stream_begins_with_a_sanction(matches: Matches) -> None:
    give(matches)
    appeal_sanction(matches, LEAGUE, FIRST, by="ann", at=AT)
    record = matches.streams.records(LEAGUE.stream_id)[1]

    with pytest.raises(AssertionError, match="a stream of sanctions begins with one"):
        evolve(None, record, SANCTIONS.read(record))
