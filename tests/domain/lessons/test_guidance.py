"""Guidance of practice matches."""

import pytest

from domain.kernel.values import replace
from domain.lessons.conditions import find_actions
from domain.lessons.errors import NotInLesson
from domain.lessons.guidance import LastAction, bot_actions, guide, lesson_status, require_sensible
from domain.lessons.script import Lesson, find_lesson
from domain.matches.aggregate import legal_actions
from domain.matches.play.in_memory import InMemoryMatch
from domain.titles.el_grande.actions import SetDisc
from domain.titles.la_granja.actions import ChooseDonkey, DeliverToBarrow, Pass, PlaceStall, PlayCard
from tests.lessons.record import LEARNER, bots_play, practice_play

FIRST = find_lesson("la_granja", "first")
DELIVERIES = find_lesson("la_granja", "deliveries")
MARKET = find_lesson("la_granja", "market")
SIESTA = find_lesson("la_granja", "siesta")
CASTLE = find_lesson("el_grande", "castle")


def acts(play: InMemoryMatch, lesson: Lesson, action: object) -> LastAction:
    last = LastAction(play.match, action)
    play.act(lesson.script.seat, LEARNER, action)  # type: ignore[arg-type]  # a script counts seats as plain numbers
    return last


def test_the_first_applicable_line_sets_the_choices_and_their_order() -> None:
    guidance = guide(FIRST, practice_play(FIRST).match)

    assert (guidance.line, guidance.standing, guidance.answer) == ("first-field", "on", "")
    assert guidance.choices == (PlayCard(48, "field"), PlayCard(28, "field"), PlayCard(40, "field"))
    assert guidance.points == ("hand-48-field", "hand-28-field", "hand-40-field")
    assert guidance.is_sensible(PlayCard(28, "field"))
    assert not guidance.is_sensible(PlayCard(28, "barrow"))


def test_an_action_is_answered_at_the_next_line() -> None:
    play = practice_play(FIRST)

    last = acts(play, FIRST, PlayCard(48, "field"))

    guidance = guide(FIRST, play.match, last)
    assert (guidance.line, guidance.answer) == ("first-barrow", "grain-field")


def test_an_unexpected_action_has_no_answer() -> None:
    play = practice_play(FIRST)

    last = acts(play, FIRST, PlayCard(17, "field"))

    assert guide(FIRST, play.match, last).answer == ""
    assert guide(FIRST, play.match, LastAction(practice_play(SIESTA).match, ChooseDonkey(1))).answer == ""


def test_without_a_line_every_action_is_offered() -> None:
    silent = replace(FIRST, script=replace(FIRST.script, lines=()))

    guidance = guide(silent, practice_play(FIRST).match)

    assert (guidance.line, guidance.choices) == ("", ())
    assert guidance.is_sensible(PlayCard(17, "field"))


def test_the_guidance_is_unchanged_while_others_play() -> None:
    play = practice_play(FIRST)
    acts(play, FIRST, PlayCard(48, "field"))
    acts(play, FIRST, PlayCard(28, "barrow"))
    acts(play, FIRST, Pass())

    guidance = guide(FIRST, play.match, LastAction(practice_play(FIRST).match, PlayCard(48, "field")))

    assert (guidance.line, guidance.choices, guidance.answer) == ("", (), "grain-field")


def test_a_legal_action_that_the_lesson_does_not_offer_is_refused() -> None:
    match = practice_play(FIRST).match

    require_sensible(FIRST, match, PlayCard(40, "field"))
    with pytest.raises(NotInLesson, match="the lesson la_granja/first expects another action than PlayCard"):
        require_sensible(FIRST, match, PlayCard(40, "helper"))
    require_sensible(FIRST, match, PlayCard(66, "helper"))  # Illegal, so left to the rules.


def test_a_task_is_solved_when_its_goal_is_reached() -> None:
    play = practice_play(DELIVERIES)
    for _ in range(2):
        assert guide(DELIVERIES, play.match).standing == "on"
        deliver = next(a for a in legal_actions(play.match, 0) if isinstance(a, DeliverToBarrow))
        acts(play, DELIVERIES, deliver)

    guidance = guide(DELIVERIES, play.match)
    assert guidance.standing == "solved"
    assert guidance.is_over
    with pytest.raises(NotInLesson):
        require_sensible(DELIVERIES, play.match, legal_actions(play.match, 0)[0])


def test_a_task_is_missed_by_its_conditions() -> None:
    play = practice_play(MARKET)

    acts(play, MARKET, PlaceStall(13))

    assert guide(MARKET, play.match).standing == "missed"
    play = practice_play(MARKET)
    acts(play, MARKET, PlaceStall(8))
    assert guide(MARKET, play.match).standing == "solved"


def test_bots_take_the_actions_of_the_script() -> None:
    play = practice_play(SIESTA)

    assert bot_actions(SIESTA, play.match, 1) == (ChooseDonkey(3),)
    first = practice_play(FIRST)
    assert bot_actions(FIRST, first.match, 0) == legal_actions(first.match, 0)
    castle = practice_play(CASTLE)
    assert bot_actions(CASTLE, castle.match, 0) == (SetDisc("toledo"),)
    assert bot_actions(CASTLE, castle.match, 2) == (SetDisc("galicia"),)


def test_a_bot_that_cannot_follow_the_script_chooses_freely() -> None:
    play = practice_play(SIESTA)
    bots_play(play, SIESTA)

    assert find_actions(legal_actions(play.match, 1), ({"type": "la_granja.choose_donkey"},)) == ()
    assert bot_actions(SIESTA, play.match, 1) == ()


def test_a_tutorial_ends_with_its_match() -> None:
    assert lesson_status(FIRST.script, practice_play(FIRST).match) == "on"
