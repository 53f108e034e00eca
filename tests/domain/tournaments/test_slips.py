"""Taking back a mistaken result, and pasting people as text."""

import pytest

from domain.standings.errors import ImportRefused
from domain.tournaments import facts, rounds
from domain.tournaments.acts import act_kind
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.imports import PlayerRow
from domain.tournaments.pasted_lists import pasted_rows
from tests.domain.tournaments.building import BY, Story


def enter_result(reason: str = "") -> Story:
    """Return two face-to-face tables, the first with its result."""
    story = Story(4, size=2, face_to_face=True).pair().publish()
    return story.take(rounds.enter_result(story.state, 1, 1, (3, 1), (1, 2), BY, reason))


def test_an_organiser_takes_back_their_first_result_while_the_round_is_open() -> None:
    story = enter_result()
    withdrawn = rounds.withdraw_result(story.state, 1, 1, BY)
    assert withdrawn == facts.ResultWithdrawn(BY, 1, 1)
    assert act_kind(story.state, withdrawn) == "result_withdrawn"
    story.take(withdrawn)

    assert story.state.rounds[0].tables[0].given is None
    with pytest.raises(TournamentRefused, match="table 1 of round 1 has no entered result"):
        rounds.withdraw_result(story.state, 1, 1, BY)


def test_reasoned_foreign_and_closed_results_are_not_taken_back() -> None:
    for story, by in ((enter_result(), "otto"), (enter_result("They said so."), BY)):
        with pytest.raises(TournamentRefused, match="cannot be removed; enter another one with a reason"):
            rounds.withdraw_result(story.state, 1, 1, by)
    ruled = enter_result()
    ruled.take(rounds.rule_table(ruled.state, 1, 1, (3, 1), (1, 2), "So.", BY))
    assert not rounds.can_be_withdrawn(ruled.state, 1, 1, BY)
    closed = enter_result()
    closed.take(rounds.enter_result(closed.state, 1, 2, (3, 1), (1, 2), BY)).close()
    assert not rounds.can_be_withdrawn(closed.state, 1, 1, BY)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("Ana\n\n Blai ", (PlayerRow("Ana"), PlayerRow("Blai"))),
        ("Ana; Palma; Serra; 3", (PlayerRow("Ana", club="Palma", family="Serra", seeding=3),)),
        ("Ana\tPalma\t\t2", (PlayerRow("Ana", club="Palma", seeding=2),)),
        ('"Serra, Ana",Palma', (PlayerRow("Serra, Ana", club="Palma"),)),
        ("@ana, Palma", (PlayerRow("ana", person="ana", club="Palma"),)),
        ("club,name\nPalma,Ana", (PlayerRow("Ana", club="Palma"),)),
        ('[{"name": "Ana"}]', (PlayerRow("Ana"),)),
    ],
)
def test_people_are_pasted_as_text(text: str, rows: tuple[PlayerRow, ...]) -> None:
    assert pasted_rows(text) == rows


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (" \n", "the text has no names"),
        ("Ana,a,b,1,more", "line 1: 5 columns instead of at most 4"),
        ("Ana\nBlai,a,b,many", "line 2: Expected `int`"),
        (",Palma", "line 1: Object missing required field `name`"),
    ],
)
def test_invalid_pasted_lines_are_named(text: str, sentence: str) -> None:
    with pytest.raises(ImportRefused, match=sentence.replace("`", ".")):
        pasted_rows(text)
