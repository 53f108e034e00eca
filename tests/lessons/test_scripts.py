"""Scripts of lessons: golden lines are unchanged, every choice continues, and all texts are translated."""

from random import Random
from typing import Any

import pytest

from api.http.languages import LANGUAGES
from api.lessons.texts import load_texts, paragraphs, texts_of
from api.titles.drawing import load_drawings
from domain.lessons.conditions import find_actions
from domain.lessons.guidance import Guidance
from domain.lessons.script import Lesson, lessons_of, load_log
from domain.matches.aggregate import Match, legal_actions
from domain.matches.facts import is_bot
from domain.matches.log.imports import examine_log
from domain.matches.log.log_files import log_bytes, log_of, read_log
from domain.matches.play.in_memory import SEEDED_START
from domain.titles import TITLES
from tests.lessons.record import (
    LINES,
    all_lessons,
    bots_play,
    greedily,
    learn,
    practice_play,
    transcript,
    tutorials,
)
from tests.seeding import derive_number, example_count

by_practice = pytest.mark.parametrize("lesson", all_lessons(), ids=lambda lesson: lesson.practice)
of_tutorials = pytest.mark.parametrize("lesson", tutorials(), ids=lambda lesson: lesson.practice)

GUIDED_ROUNDS = 2


@of_tutorials
def test_a_tutorial_follows_its_golden_line(lesson: Lesson) -> None:
    """Compares log and messages. `python -m tests.lessons.record --lines` updates them after a change of the script."""
    play = practice_play(lesson)

    told = list(learn(play, lesson))

    golden = LINES / f"{lesson.title}-{lesson.name}"
    assert transcript(told) == golden.with_suffix(".txt").read_text()
    assert log_bytes(log_of(play.entries)) == log_bytes(read_log(golden.with_suffix(".jsonl")))
    assert play.match.status == "ended"
    assert play.match.result is not None
    assert play.match.result.ranking[lesson.script.seat] == 1, "who does what the guide says wins"


@of_tutorials
def test_the_guide_continues_after_any_choice(lesson: Lesson) -> None:
    """In guided rounds every turn has a message, whose choices are legal."""
    for number in range(example_count(3)):
        luck = Random(derive_number(f"{lesson.practice}/{number}"))

        def anything(match: Match, guidance: Guidance, luck: Random = luck) -> Any:
            return luck.choice(guidance.choices) if guidance.choices else greedily(match, guidance)

        play = practice_play(lesson)
        for _, said in learn(play, lesson, anything):
            if play.match.state is None or play.match.definition.round_of(play.match.state) > GUIDED_ROUNDS:
                break
            assert said.line, "something is said at every turn"
            line = next(each for each in lesson.script.lines if each.id == said.line)
            assert bool(said.choices) == bool(line.choices), f"{said.line}: none of its choices is there"


@by_practice
def test_every_text_exists_in_every_language(lesson: Lesson) -> None:
    script, english = lesson.script, texts_of(lesson, "en")
    lines = {line.id for line in script.lines}
    answers = {choice.answer for line in script.lines for choice in line.choices} - {""}
    for language in LANGUAGES:
        texts = texts_of(lesson, language)
        assert set(texts.lines) == lines
        assert set(texts.answers) == answers
        assert set(texts.not_now) == set(english.not_now) <= lines
        assert bool(texts.missed) == (script.kind == "task")
        said = (*texts.lines.values(), *texts.answers.values(), texts.end, texts.about, texts.title)
        assert all(paragraphs(text).strip() for text in said)
        if language != "en":
            others = (*english.lines.values(), *english.answers.values(), english.end, english.about)
            assert not set(said[:-1]) & set(others), "left in English"


def test_no_language_has_texts_of_unknown_lessons() -> None:
    for title in TITLES:
        for language in LANGUAGES:
            assert list(load_texts(title, language)) == list(lessons_of(title))


@by_practice
def test_a_lesson_starts_from_a_complete_private_log_of_bots(lesson: Lesson) -> None:
    examined = examine_log(load_log(lesson.title, lesson.script.log), TITLES, at=SEEDED_START.replace(year=2100))

    assert examined.line.status == "ended"
    assert not examined.line.table.public
    assert all(is_bot(info.actor) for info in examined.line.seats)


@by_practice
def test_the_guide_points_at_parts_that_the_title_draws(lesson: Lesson) -> None:
    """At the first position, the guide points at a legal part or a place of the board."""
    play = practice_play(lesson)
    bots_play(play, lesson)
    told = next(learn(play, lesson))[1]
    target = load_drawings(TITLES)[lesson.title].target
    parts = {part for action in legal_actions(play.match, lesson.script.seat) for part in target(action).split()}

    assert set(told.points) & parts


@pytest.mark.parametrize("practice", ["la_granja/market", "la_granja/siesta", "el_grande/castle"])
def test_a_task_of_one_choice_has_one_good_answer(practice: str) -> None:
    title, _, name = practice.partition("/")
    lesson = lessons_of(title)[name]
    kinds = ("la_granja.place_stall", "la_granja.choose_donkey", "el_grande.set_disc")
    first = practice_play(lesson)
    choices = find_actions(legal_actions(first.match, lesson.script.seat), ({"type": list(kinds)},))
    ends = list[str]()
    for choice in choices:
        play = practice_play(lesson)
        told = list(learn(play, lesson, lambda *_, choice=choice: choice))
        ends.append(told[-1][1].standing)

    assert sorted(ends) == ["missed"] * (len(choices) - 1) + ["solved"]


def test_the_deliveries_are_missed_when_the_donkeys_go_elsewhere() -> None:
    lesson = lessons_of("la_granja")["deliveries"]
    play = practice_play(lesson)

    told = list(learn(play, lesson, lambda match, _: legal_actions(match, 0)[0]))

    assert told[-1][1].standing == "missed"


def test_granada_is_won_by_moving_the_king_first() -> None:
    lesson = lessons_of("el_grande")["king"]
    play = practice_play(lesson)
    wanted = iter(({"place": "sevilla"}, {"area": "granada", "count": 3}))

    def first_the_king(match: Match, _: Guidance) -> Any:
        return find_actions(legal_actions(match, 0), (next(wanted),))[0]

    assert [said.standing for _, said in learn(play, lesson, first_the_king)] == ["on", "on", "solved"]
    told = list(learn(practice_play(lesson), lesson, lambda match, _: legal_actions(match, 0)[0]))
    assert told[-1][1].standing == "missed"
