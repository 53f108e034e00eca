"""Import and export of files; errors name the line."""

from typing import Any

import msgspec
import pytest

from domain.standings.contest import Stage
from domain.standings.errors import ImportRefused, PlacesContradict
from domain.tournaments import facts, registration
from domain.tournaments.errors import EnteredAlready, NoSuchRound
from domain.tournaments.imports import PlayerRow, ResultRow, csv_of, digest_of, import_players, import_results, rows_of
from domain.tournaments.invitation_facts import InvitationDeclined, PersonInvited
from domain.tournaments.state import add_entry, change_entry
from tests.call_counts import GROWTH_MAX, growth
from tests.domain.tournaments.building import BY, Story

PLAYERS = b"name,club,seeding\nJana,Ostrava,2\nPetr,,\n\nIva;x,Brno,1\n"


def test_csv_and_json_are_equivalent() -> None:
    rows = rows_of(PLAYERS, PlayerRow)

    assert rows == (
        PlayerRow("Jana", club="Ostrava", seeding=2),
        PlayerRow("Petr"),
        PlayerRow("Iva;x", "", "Brno", "", 1),
    )
    assert rows_of("\ufeffName;Club\nJana;Ostrava\n".encode(), PlayerRow) == (PlayerRow("Jana", club="Ostrava"),)
    assert rows_of(msgspec.json.encode(rows), PlayerRow) == rows


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"\xff\xfe", "the file is not UTF-8 text: invalid byte at position 0"),
        (b"", "the column 'name' is missing"),
        (b"name,points\n", "line 1: unknown column 'points'; known: name, person, club, family, seeding"),
        (b"club\n", "line 1: the column 'name' is missing; required: name"),
        (b"name,name\n", "line 1: a column appears twice"),
        (b"name,club\nJana\n", "line 2: 1 columns instead of 2"),
        (b"name,seeding\nJana,first\n", "line 2: Expected `int`"),
        (b"name\n", "1 to 10000 rows, not 0"),
        (b"[]", "1 to 10000 rows, not 0"),
        (b"name\n" + b"a\n" * 10_001, "1 to 10000 rows, not more"),
        (
            b"name,club\nJana,\nPe\0tr,\n",
            "line 3: the column 'name' contains a character .*: U\\+0000",
        ),
        (
            b'name,club\nJana,"Two\nlines"\n',
            "line 2: the column 'club' contains a character .*: U\\+000A",
        ),
        (
            b'[{"name": "Jana"}, {"name": "P\\u202e"}]',
            "row 2: the column 'name' contains a character .*: U\\+202E",
        ),
        (b'[{"name": 5}]', "the file is not a list of such rows:"),
        (b"name\n" + b"a" * 10_001 + b"\n", "line 2: a line has at most 10000 characters"),
        (b'name\n"' + b"a" * 9_000 + b"\n" * 130_000, "cannot read the file as CSV:"),
    ],
)
def test_an_invalid_file_is_refused_with_its_line(content: bytes, sentence: str) -> None:
    with pytest.raises(ImportRefused, match=sentence):
        rows_of(content, PlayerRow)


def test_players_are_imported_all_or_none_and_only_once() -> None:
    story = Story()
    rows, digest = (PlayerRow("Jana"), PlayerRow("Ann", person="ann")), digest_of(b"1")
    story.take(*import_players(story.state, rows, {"ann": "p7"}, digest, BY))

    assert [(entry.name, entry.actor) for entry in story.state.entries] == [("Jana", "")]
    assert [(each.fact.name, each.actor) for each in story.state.invitations.open] == [("Ann", "p7")]
    assert import_players(story.state, rows, {}, digest, BY) == ()
    with pytest.raises(ImportRefused, match="row 2: no account with the id or name 'ann'"):
        import_players(Story().state, rows, {}, digest, BY)
    with pytest.raises(EnteredAlready):
        import_players(story.state, rows, {"ann": "p7"}, digest_of(b"2"), BY)


def test_one_name_in_two_spellings_is_one_entry() -> None:
    content = "name\nAna  Nu\u0301n\u0303ez\n Petr \n".encode()
    story = Story()
    story.take(*import_players(story.state, rows_of(content, PlayerRow), {}, digest_of(content), BY))

    assert [entry.name for entry in story.state.entries] == ["Ana Núñez", "Petr"]
    for name in ("Ana Núñez", "Petr\u00a0"):
        with pytest.raises(EnteredAlready, match=r"row 1: '[^']+' has already entered"):
            import_players(story.state, (PlayerRow(name),), {}, "d" * 64, BY)
    with pytest.raises(EnteredAlready, match="row 2: 'Eva' has already entered"):
        import_players(story.state, (PlayerRow("Eva"), PlayerRow(" Eva")), {}, "d" * 64, BY)


def test_a_withdrawn_row_frees_its_place() -> None:
    rows = (PlayerRow("Jana", status="withdrawn"), PlayerRow("Petr"), PlayerRow("Iva", status="withdrawn"))
    found = import_players(Story(cap=1).state, rows, {}, "d" * 64, BY)

    assert [fact.waiting for fact in found if isinstance(fact, facts.EntryMade)] == [False, False, True]


def test_an_unknown_entry_changes_nothing() -> None:
    state = Story(2).state

    assert change_entry(state, "e9", status="withdrawn") == state
    assert change_entry(state, "e2", club="B").entries[1].club == "B"


def test_importing_takes_linear_time() -> None:
    def take(count: int) -> None:
        content = ("name,entry,status\n" + "".join(f"P{each},x{each},withdrawn\n" for each in range(count))).encode()
        import_players(Story().state, rows_of(content, PlayerRow), {}, digest_of(content), BY)

    assert growth(take, 500) <= GROWTH_MAX


NAMES = {"e1": "Jana", "e2": "Petr"}


def publish_first_round() -> Story:
    return Story(2, size=2, face_to_face=True).pair().publish()


def test_results_find_a_player_by_any_spelling_of_the_name() -> None:
    rows = (row(" Jana ", 5, 2), row("Petr\u200b", 9, 1))

    assert len(import_results(publish_first_round().state, rows, {"e1": "Jana", "e2": "  Petr"}, "ab", BY)) == 2


def row(player: str, score: int, place: int, table: int = 1) -> ResultRow:
    return ResultRow(1, table, player, score, place)


def test_results_are_imported_by_name_or_entry_and_only_once() -> None:
    story = publish_first_round()
    rows = (row("Jana", 5, 2), row("e2", 9, 1))
    story.take(*import_results(story.state, rows, NAMES, "ab", BY))

    result = story.state.rounds[0].tables[0].given
    assert result is not None
    assert dict(zip(story.tables[0], result.scores, strict=True)) == {"e1": 5, "e2": 9}
    assert import_results(story.state, rows, NAMES, "ab", BY) == ()


@pytest.mark.parametrize(
    ("rows", "refusal", "sentence"),
    [
        ((row("Eva", 1, 1),), ImportRefused, "row 1: no player named 'Eva' in this event"),
        ((row("Jana", 1, 1), row("e1", 1, 1)), ImportRefused, "row 2: 'e1' appears twice at table 1 of round 1"),
        ((row("Jana", 1, 1),), ImportRefused, "'Petr' is missing at table 1 of round 1"),
        ((row("Jana", 1, 1, 2),), NoSuchRound, "no table 2"),
    ],
)
def test_results_of_unknown_players_or_rounds_are_refused(
    rows: tuple[ResultRow, ...], refusal: type[Exception], sentence: str
) -> None:
    with pytest.raises(refusal, match=sentence):
        import_results(publish_first_round().state, rows, NAMES, "ab", BY)


def test_a_result_at_another_table_is_refused() -> None:
    story = Story(4, size=2, face_to_face=True).pair().publish()
    names = {f"e{number}": f"P{number}" for number in range(1, 5)}
    (one, _), (other, _) = story.tables
    rows = (row(one, 1, 2), row(other, 2, 1))

    with pytest.raises(ImportRefused, match="at table 1 of round 1"):
        import_results(story.state, rows, names, "ab", BY)


def test_exported_cells_are_no_formulas() -> None:
    content = csv_of(["name", "points"], [["=1+1", "-3.5"], ["@x", 7], ["Jana", "+5"]])

    assert content == b"name,points\r\n'=1+1,-3.5\r\n'@x,7\r\nJana,'+5\r\n"


def test_entries_decided_in_sequence_equal_the_stored_ones() -> None:
    """Club, family, seed and first round are set before the record exists."""
    story = Story(4, cap=5, stages=(Stage("swiss", 2),)).play()
    for name in ("Jana", "Petr"):
        details: dict[str, Any] = {"name": name, "club": "Ostrava", "family": "Novák", "seeding": 3}
        fact = registration.enter(story.state, BY, **details)
        assert isinstance(fact, facts.EntryMade)
        decided = add_entry(story.state, fact)

        assert decided == story.take(fact).state
    assert [(each.club, each.status, each.from_round) for each in story.state.entries[4:]] == [
        ("Ostrava", "in", 2),
        ("Ostrava", "waiting", 2),
    ]


def test_existing_entries_are_unchanged_by_their_own_file() -> None:
    story = Story(1).take(registration.enter(Story(1).state, BY, name="Jana"))
    rows = [
        PlayerRow("p1", person="p1", entry="e1"),
        PlayerRow("Jana", entry="e2"),
        PlayerRow("Petr", entry="e2", status="withdrawn"),
        PlayerRow("Iva", entry="e9"),
        PlayerRow("Olga", person="p1x", entry="e1"),
        PlayerRow("Cleo", person="p8", status="withdrawn"),
    ]
    found = import_players(story.state, rows, {"p1": "p1", "p1x": "p7", "p8": "p8"}, "d" * 64, BY)

    assert [(fact.entry, fact.name) for fact in found if isinstance(fact, facts.EntryMade)] == [
        ("e3", "Petr"),
        ("e4", "Iva"),
    ]
    assert [(fact.actor, fact.name) for fact in found if isinstance(fact, PersonInvited)] == [("p7", "Olga")]
    assert [fact.entry for fact in found if isinstance(fact, facts.EntryWithdrawn)] == ["e3"]
    assert found[-1] == facts.ImportNoted(BY, "players", "d" * 64, 3)
    story.take(*found)
    assert [entry.status for entry in story.state.entries] == ["in", "in", "withdrawn", "in"]


def test_escaped_formulas_round_trip() -> None:
    content = csv_of(["name"], [["=Jana"], ["'quoted"], ["-5"]])

    assert [row.name for row in rows_of(content, PlayerRow)] == ["=Jana", "'quoted", "-5"]


def test_contradictory_places_in_a_file_name_the_table() -> None:
    story = publish_first_round()
    seats = story.state.rounds[0].tables[0].entries
    rows = [ResultRow(1, 1, seats[0], 10, 1), ResultRow(1, 1, seats[1], 40, 2)]
    names = {name: name for name in seats}

    with pytest.raises(PlacesContradict, match="table 1 of round 1: seat 2 has 40 points and place 2, seat 1 10"):
        import_results(story.state, rows, names, "d" * 64, BY)
    assert len(import_results(story.state, rows, names, "d" * 64, BY, sure=True)) == 2


def test_people_who_declined_are_skipped_in_a_file() -> None:
    story = Story()
    story.take(PersonInvited(BY, "p7"), InvitationDeclined("p7", "p7"))
    rows = (PlayerRow("Ann", person="ann"), PlayerRow("Ben", person="ben"), PlayerRow("Jana"))

    found = import_players(story.state, rows, {"ann": "p7", "ben": "p8"}, digest_of(b"1"), BY)

    assert [fact.actor for fact in found if isinstance(fact, PersonInvited)] == ["p8"]
    assert found[-1] == facts.ImportNoted(BY, "players", digest_of(b"1"), 2)
