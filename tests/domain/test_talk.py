"""Allowed texts and mentions."""

from uuid import UUID

import pytest

from domain.talk import (
    LINES_MAX,
    PHRASES,
    WORDS_MAX,
    Room,
    TalkRefused,
    find_mentions,
    normalise_message,
    require_phrase,
    room_of,
    without_name,
)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("  Hello,   there ", "Hello, there"),
        ("one\r\n two\n", "one\ntwo"),
        ("<b>bold</b> & co", "<b>bold</b> & co"),
        ("Ole\u0301", "Olé"),
        ("a\x00b\u202ec\u2028d", "abcd"),
        ("👍", "👍"),
        ("👩\u200d🌾", "👩\u200d🌾"),
        ("left\tright", "left right"),
    ],
)
def test_messages_are_normalised(words: str, expected: str) -> None:
    assert normalise_message(words) == expected


@pytest.mark.parametrize("words", ["", " \n ", "\u202e\u200b", "\u0301"])
def test_unreadable_messages_are_refused(words: str) -> None:
    with pytest.raises(TalkRefused, match="no visible text"):
        normalise_message(words)


def test_long_messages_are_refused_with_their_length() -> None:
    assert normalise_message("x" * WORDS_MAX) == "x" * WORDS_MAX
    with pytest.raises(TalkRefused, match=f"at most {WORDS_MAX} characters, not {WORDS_MAX + 1}"):
        normalise_message("x" * (WORDS_MAX + 1))
    with pytest.raises(TalkRefused, match=f"at most {LINES_MAX} lines, not {LINES_MAX + 1}"):
        normalise_message("\n".join("x" * (LINES_MAX + 1)))


def test_only_known_phrases_are_accepted() -> None:
    assert [require_phrase(name) for name in PHRASES] == list(PHRASES)
    with pytest.raises(TalkRefused, match="unknown phrase 'curse'"):
        require_phrase("curse")


@pytest.mark.parametrize("kind", ["players", "spectators", "entrants"])
def test_a_room_round_trips_through_its_key(kind: str) -> None:
    room = room_of(f"{kind}/{UUID(int=7)}")

    assert room.key == f"{kind}/{UUID(int=7)}"
    assert room == Room(room.kind, UUID(int=7))


PEOPLE = {"1": "Ann", "2": "Ann Lee", "3": "Żaneta", "4": ""}


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("hello @Ann", ("1",)),
        ("hello @ann lee!", ("2",)),
        ("@Ann and @Ann Lee", ("1", "2")),
        ("@ŻANETA, your turn", ("3",)),
        ("@Anna", ()),
        ("me@Ann.example", ()),
        ("Ann", ()),
        ("@", ()),
    ],
)
def test_a_message_names_people_by_their_whole_names(words: str, named: tuple[str, ...]) -> None:
    assert find_mentions(words, PEOPLE) == named


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("@Ann, your turn", "@…, your turn"),
        ("@Ann Lee and @ann", "@… Lee and @…"),
        ("@ＡＮＮ@ann", "@…@…"),
        ("@Anna and Ann", "@Anna and Ann"),
        ("@", "@"),
    ],
)
def test_mentions_of_an_erased_account_are_replaced(words: str, expected: str) -> None:
    assert without_name(words, "Ann") == expected
