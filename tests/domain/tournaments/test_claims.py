"""Results entered by players: permission, agreement and contradictions."""

from collections.abc import Sequence
from uuid import UUID

import pytest

from domain.standings.errors import PlacesContradict, WrongResult
from domain.tournaments import facts, rounds
from domain.tournaments.acts import act_kind
from domain.tournaments.claim_facts import CodeRenewed, ResultClaimed, ResultConfirmed, contradicted_tables
from domain.tournaments.claims import CLAIMS_MAX, agreements_needed, claim, renew_code
from domain.tournaments.errors import NoSuchEntry, NoSuchRound, TournamentRefused
from tests.domain.tournaments.building import BY, Story

SCORES, PLACES = (50, 40, 30, 20), (1, 2, 3, 4)
OTHERWISE = (50, 40, 20, 30), (1, 2, 4, 3)


class Hall(Story):
    """A face-to-face event with tables of four whose players claim results."""

    keys = 0

    def says(
        self,
        seat: int,
        scores: Sequence[int] = SCORES,
        places: Sequence[int] = PLACES,
        key: int = 0,
        sure: bool = False,
    ) -> tuple[facts.Fact, ...]:
        """Apply the claim of a seat at the first table, and return its facts."""
        self.keys += 1
        entry = self.tables[0][seat]
        new_facts = claim(self.state, 1, 1, entry, scores, places, UUID(int=key or self.keys), sure=sure)
        self.take(*new_facts)
        return new_facts

    @property
    def entered_result(self) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        result = self.state.rounds[0].tables[0].given
        return None if result is None else (result.scores, result.places)

    @property
    def contradictions(self) -> tuple[int, ...]:
        return contradicted_tables(self.state.rounds[0].tables)


def hall(count: int = 8, *, confirm_all: bool = False) -> Hall:
    story = Hall(count, face_to_face=True, confirm_all=confirm_all)
    story.pair().publish()
    return story


def test_a_claimed_result_counts_after_a_second_seat_confirms() -> None:
    story = hall()
    first, before = story.says(0), story.entered_result
    second = story.says(2)
    third = story.says(3)

    assert [type(fact) for fact in first] == [ResultClaimed]
    assert before is None
    assert [type(fact) for fact in second] == [ResultConfirmed, facts.ResultEntered]
    assert isinstance(second[0], ResultConfirmed)
    assert (second[0].entry, second[0].agrees_with) == (story.tables[0][2], story.tables[0][0])
    assert story.entered_result == (SCORES, PLACES)
    assert [type(fact) for fact in third] == [ResultConfirmed]
    assert story.contradictions == ()
    assert [act_kind(story.state, fact) for fact in second] == [None, None]


def test_repeated_claims_confirm_nothing() -> None:
    story = hall()
    story.says(0, key=9)

    assert story.says(0, key=9) == ()
    assert story.says(0, key=10) == ()
    assert story.says(0, *OTHERWISE, key=9) == ()
    assert story.entered_result is None


def test_an_event_may_require_confirmation_by_all_present() -> None:
    story = hall(confirm_all=True)
    entry = story.tables[0][3]
    story.take(facts.NoShowNoted(BY, 1, entry, reason="Ill."))
    assert agreements_needed(story.state, story.state.rounds[0].tables[0]) == 3
    story.says(0)
    assert len(story.says(1)) == 1
    assert len(story.says(2)) == 2
    assert story.entered_result == (SCORES, PLACES)


def test_contradictory_claims_need_an_organiser() -> None:
    story = hall()
    story.says(0)
    story.says(1, *OTHERWISE)
    body = story.says(2, *OTHERWISE)

    assert len(body) == 1
    assert story.entered_result is None
    assert 1 in story.contradictions
    others = dict.fromkeys((2,), (1, 2, 3, 4))
    for table, places in others.items():
        story.take(rounds.enter_result(story.state, 1, table, SCORES, places, BY))
    story.take(rounds.enter_result(story.state, 1, 1, SCORES, PLACES, BY))
    assert story.contradictions == ()
    with pytest.raises(TournamentRefused, match="an organiser has entered the result of table 1"):
        story.says(1, *OTHERWISE)
    assert story.says(1) == ()
    story.close()


def test_a_corrected_claim_counts() -> None:
    story = hall()
    story.says(0)
    story.says(1, *OTHERWISE)
    body = story.says(1)

    assert [type(fact) for fact in body] == [ResultConfirmed, facts.ResultEntered]
    assert story.contradictions == ()


def test_an_objection_to_a_counting_result_keeps_the_round_open() -> None:
    story = hall()
    story.take(rounds.enter_result(story.state, 1, 2, SCORES, PLACES, BY))
    story.says(0)
    story.says(1)
    body = story.says(2, *OTHERWISE)

    assert [type(fact) for fact in body] == [ResultClaimed]
    assert story.entered_result == (SCORES, PLACES)
    with pytest.raises(TournamentRefused, match="the players of table 1 entered different results; enter the"):
        story.close()
    story.says(2)
    story.close()


def test_claims_need_a_seat_and_an_open_table() -> None:
    story = hall()
    stranger, key = story.tables[1][0], UUID(int=99)
    with pytest.raises(TournamentRefused, match=f"{stranger} is not seated at table 1 of round 1"):
        claim(story.state, 1, 1, stranger, SCORES, PLACES, key)
    with pytest.raises(NoSuchRound, match="round 1 has no table 7"):
        claim(story.state, 1, 7, stranger, SCORES, PLACES, key)
    with pytest.raises(WrongResult):
        story.says(0, (1, 2), (1, 2))
    with pytest.raises(PlacesContradict):
        story.says(0, SCORES, (4, 3, 2, 1))
    assert story.says(0, SCORES, (4, 3, 2, 1), sure=True)
    for table in (1, 2):
        story.take(rounds.enter_result(story.state, 1, table, SCORES, PLACES, BY))
    story.close()
    with pytest.raises(TournamentRefused, match="round 1 is closed; only an organiser can enter results now"):
        story.says(0)
    played = Story(4).pair().publish()
    with pytest.raises(TournamentRefused, match="table 1 of round 1 is played online; its result comes from the"):
        claim(played.state, 1, 1, played.tables[0][0], SCORES, PLACES, key)


def test_the_number_of_claims_is_limited() -> None:
    story = hall()
    for at in range(CLAIMS_MAX):
        story.says(0, *(OTHERWISE if at % 2 else (SCORES, PLACES)))
    with pytest.raises(
        TournamentRefused, match="has entered 12 results for table 1; only an organiser can enter another one"
    ):
        story.says(0)


def test_renewing_a_code_does_not_record_the_code() -> None:
    story = hall()
    fact = renew_code(story.state, "e3", BY, " It was read out. ")
    before = story.state
    story.take(fact)

    assert fact == CodeRenewed(BY, "e3", "It was read out.")
    entry = story.state.entry("e3")
    assert entry is not None
    assert entry.codes == 1
    assert act_kind(before, fact) == "code_renewed"
    with pytest.raises(NoSuchEntry):
        renew_code(story.state, "e99", BY, "Lost.")
    with pytest.raises(TournamentRefused, match="another code needs a reason"):
        renew_code(story.state, "e3", BY, " ")
