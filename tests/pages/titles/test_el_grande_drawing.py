"""The drawing of El Grande's board: its map, its pieces, and a part for every legal action."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, get_args

import pytest
from jinja2 import Environment

from api.http.languages import LANGUAGES, add_localisation, use_language
from api.http.templating import loader_of, template_folders
from api.matches.schemas import LegalAction
from api.site.pages.fragments import group_buttons
from api.titles.drawing import Trace
from api.titles.el_grande import atlas, placing, tracing, track
from api.titles.el_grande.dial import DIAL
from api.titles.el_grande.drawing import SHAPES, picture
from api.titles.el_grande.placing import SPOTS, Piece, lay_out
from api.titles.el_grande.prompts import prompt
from api.titles.el_grande.title import DRAWING
from domain.kernel.messages import say
from domain.kernel.rules import Seat
from domain.titles import el_grande
from domain.titles.el_grande import actions as a
from domain.titles.el_grande import effects as e
from domain.titles.el_grande.actions import Action, EndTurn, PlaceCaballeros
from domain.titles.el_grande.components import BOARD_TABLE, BOARDS, KING_PLACES, REGIONS
from domain.titles.el_grande.parts import PART_OF, part_of
from domain.titles.el_grande.state import SEATS_MAX, DraftLine, State
from tests.domain.titles.el_grande.table import A, B, acting, go, play_randomly, table

NAMES: Final = ("Ann", "Ben <b>", "Cid", "Dee", "Eve")
EVERYTHING: Final = {"cards": "2023", "veterans": "all", "new_regency": "yes", "shift_of_power": "yes"}
TABLES: Final[tuple[tuple[int, int, Mapping[str, str]], ...]] = (
    (2, 1, {}),
    (2, 2, {**EVERYTHING, "merged_stacks": "yes", "short": "yes"}),
    (3, 3, {"castillo": "open", "new_regency": "yes"}),
    (4, 4, {"shift_of_power": "yes"}),
    (5, 5, EVERYTHING),
    (5, 6, EVERYTHING),
)

DRAFTED: Final = """
granada 4 2 0 0
toledo  0 3 1 0
aragon  1 1 1 1
court   5 0 0 0
"""
FURTHER: Final = (a.ChooseSource, a.SendCaballeros)
"""Actions that continue a draft."""


@cache
def environment() -> Environment:
    environment = Environment(loader=loader_of(template_folders()), autoescape=True)
    add_localisation(environment)
    return environment


def render(state: State, seat: int | None, status: str = "running") -> str:
    """Render board and players for a reader."""
    view = el_grande.view(state, None if seat is None else Seat(seat))
    match = {"seat": seat, "status": status}
    context: dict[str, Any] = {"view": view, "names": NAMES[: view.setting.seats], "match": match, **picture(view)}
    return "".join(environment().get_template(template).render(context) for _, template in DRAWING.templates)


def parts(html: str) -> list[str]:
    return re.findall(r'data-part="([^"]*)"', html)


def test_regions_touch_on_the_map_exactly_where_the_rules_say() -> None:
    """EG-0.5, EG-18.4: adjacency is visible, including France and Portugal."""
    adjacent: dict[str, set[str]] = {row.id: {*row.neighbors} for row in BOARD_TABLE.regions}
    adjacent |= {row.id: {*row.neighbors} for row in BOARD_TABLE.exile}
    for exile in BOARD_TABLE.exile:
        for region in exile.neighbors:
            adjacent[region].add(exile.id)

    assert {land: set(atlas.neighbours(land)) for land in atlas.LANDS} == adjacent
    assert all(path.startswith("M") and path.endswith("Z") for path in atlas.OUTLINES.values())
    assert set(SPOTS) == set(KING_PLACES)


@pytest.mark.parametrize(("seats", "seed", "options"), TABLES)
def test_every_legal_action_has_a_drawn_part(seats: int, seed: int, options: Mapping[str, str]) -> None:
    drawn_parts = set[str]()
    for number, (state, _) in enumerate(play_randomly(seats, seed, options)):
        if number % 3:
            continue
        for seat in el_grande.seats_to_act(state):
            legal = el_grande.legal_actions(state, seat)
            targets = {part_of(action) for action in legal} - {""}
            drawn = parts(render(state, seat))
            assert targets <= set(drawn), (number, state.step)
            drawn_parts |= targets
            view = el_grande.view(state, seat)
            assert say(prompt(view, legal)).endswith(".")
    assert {"court", "province", "in-play", "area-castillo"} & drawn_parts
    assert drawn_parts >= {f"area-{region}" for region in REGIONS}


def test_every_action_has_a_target() -> None:
    assert set(PART_OF) == set(get_args(Action))


def test_hands_drafts_and_discs_are_not_drawn_for_spectators() -> None:
    """EG-21.3: secrets are drawn for their owner only."""
    secret = re.compile(r'data-part="(power|hand|played|disc)-|eg-lines own|eg-dial-box')
    shown_secrets = set[str]()
    for state, _ in play_randomly(3, 7, EVERYTHING):
        if state.step not in {"secret", "discs", "turn", "pass_grey"}:
            continue
        assert not secret.search(render(state, None))
        seat = state.to_act[0]
        shown_secrets |= {occurrence[0] for occurrence in secret.finditer(render(state, seat))}
        if state.drafting:
            assert "eg-lines own" not in render(state, (seat + 1) % 3)

    assert shown_secrets >= {'data-part="power-', 'data-part="hand-', "eg-lines own", "eg-dial-box"}


def test_names_are_escaped_and_players_differ_by_shape_and_number() -> None:
    state = next(state for state, _ in play_randomly(5, 9, {}))

    html = render(state, None)

    assert "Ben <b>" not in html
    assert "Ben &lt;b&gt;" in html
    assert len({*SHAPES}) == SEATS_MAX
    for seat in range(5):
        assert f'<text y="7.5">{seat + 1}</text>' in html


def test_nobody_is_shown_as_active_after_a_resignation_during_a_turn() -> None:
    state = next(state for state, _ in play_randomly(3, 3, {}) if el_grande.view(state, None).active is not None)

    assert "acts now" in render(state, None)
    ended = render(state, None, "ended")

    assert "acts now" not in ended
    assert "'s turn" not in ended


def test_the_board_is_translated_into_every_language() -> None:
    state = next(state for state, _ in play_randomly(2, 9, {}) if state.step == "take")
    boards = set[str]()
    for language in LANGUAGES:
        with use_language(language):
            boards.add(render(state, state.to_act[0]))

    assert len(boards) == len(LANGUAGES)


def test_the_score_track_has_100_fields_and_shows_markers_side_by_side() -> None:
    assert len({(field.x, field.y) for field in track.TRACK}) == 100
    assert [marker.laps for marker in track.markers((99, 100, 212))] == [0, 1, 2]
    for score in (3, 30, 60, 90):
        first, second = track.markers((score, score))
        assert (first.x, first.y) != (second.x, second.y)
        is_inside = [0 < axis < limit for axis, limit in ((second.x, track.WIDTH), (second.y, track.HEIGHT))]
        assert all(is_inside)
    width, height = track.LAP
    for score in range(100, 200):
        for marker in track.markers((score,) * SEATS_MAX):
            x, y = marker.lap_at
            assert width / 2 <= x <= track.WIDTH - width / 2, f"the hundreds beside {score} leave the frame"
            assert height / 2 <= y <= track.HEIGHT - height / 2, f"the hundreds beside {score} leave the frame"


def test_scoreboards_are_labelled_and_cards_hide_their_provenance() -> None:
    for seats, seed, options in TABLES:
        state, _ = next(play_randomly(seats, seed, options))
        html = render(state, 0)
        assert html.count("scoreboards that a card can add to a region:") == 1
        assert "working title" not in html


def test_a_crowded_region_shows_all_its_pieces_inside_its_box() -> None:
    crowd = [
        Piece("king"),
        *(Piece("grande", seat) for seat in range(5)),
        *(Piece("caballeros", s, 9) for s in range(5)),
    ]
    for name in REGIONS:
        left, top, width, height = SPOTS[name].box
        placed = lay_out(SPOTS[name], crowd)
        assert [each.piece for each in placed] == crowd
        assert len({(each.x, each.y) for each in placed}) == len(crowd)
        for each in placed:
            assert left <= each.x <= left + width
            assert top <= each.y <= top + height, name
    assert lay_out(SPOTS["toledo"], ()) == ()


def test_an_arrow_goes_from_land_to_land_and_ends_at_the_court() -> None:
    path, middle = placing.arrow(placing.spot_of("galicia"), placing.spot_of("court"))

    assert path.startswith("M124 ")
    assert path.endswith("34 504")
    assert 0 < middle[0] < atlas.WIDTH


def test_traces_on_the_board_have_the_numbers_of_the_narration() -> None:
    """Covers every narration that has a trace, compared with its effect."""
    view = el_grande.view(next(play_randomly(3, 3, {}))[0], None)
    lines = (DraftLine(1, "province", "court", 3), DraftLine(1, "court", "castillo", 2))
    more_lines = (DraftLine(1, "court", "castilla", 1), DraftLine(1, "castilla", "toledo", 2))
    cases: tuple[tuple[e.Effect, tuple[Trace, ...]], ...] = (
        (e.CaballerosMoved(1, lines), (Trace("court", "province", 1, 3), Trace("area-castillo", "court", 1, 2))),
        (
            e.CaballerosMoved(1, more_lines),
            (Trace("area-castilla", "court", 1, 1), Trace("area-toledo", "area-castilla", 1, 2)),
        ),
        (e.CaballerosMoved(0, more_lines[1:]), (Trace("area-toledo", "area-castilla", 1, 2),)),
        (e.DummyRegionDrawn("granada", 2), (Trace("area-granada", count=2),)),
        (e.KingMoved("france"), (Trace("area-france", piece="king"),)),
        (e.KingMoved("castillo"), (Trace("area-castillo", piece="king"),)),
        (e.GrandeMoved(2, "aragon"), (Trace("area-aragon", seat=2, piece="grande-2"),)),
        (e.ScoreboardPlaced(BOARDS[0], "galicia"), (Trace("area-galicia", piece="scoreboard-4-0-0"),)),
        (e.CastilloOpened((0, 0, 0)), (Trace("area-castillo", opens=True),)),
        (e.CastilloOpened((0, 2, 1)), (Trace("area-castillo", opens=True, inside=((1, 2), (2, 1))),)),
        (e.AreaScored("castillo", (5, 0, 0)), (Trace("area-castillo", points=((0, 5),)),)),
        (e.AreaScored("sevilla", (4, 0, 2)), (Trace("area-sevilla", points=((0, 4), (2, 2))),)),
        (e.TurnOrderSet((2, 0, 1)), ()),
    )
    narrated = set()
    for effect, traces in cases:
        narration = el_grande.narrate(view, (effect,))
        narrated |= {message.id for message in narration}
        assert tracing.traces(narration) == traces
    assert set(tracing.TRACED) <= narrated, "each of them is tried here"


def test_placing_caballeros_is_labelled_with_region_and_number() -> None:
    """Numbers too large for the short form are spelled out in the full text."""
    labels = [
        (brief.label if DRAWING.brief and (brief := DRAWING.brief(None, action)) else None)
        for action in (PlaceCaballeros("castilla", 2), PlaceCaballeros("castillo", 6), EndTurn())
    ]

    assert labels == [("2", "Castilla"), None, None]


@pytest.mark.parametrize(
    ("card", "king", "steps"),
    [
        ("s1-intrigue-1", "castilla", go(A, "granada", "castillo")),
        ("s1-evacuation", "castilla", go(A, "granada", "toledo", 2)),
        ("s2-return-one-each", "castilla", (a.ChooseSource(B, "toledo"),)),
        ("nr-escort", "toledo", (a.ChooseSource(B, "toledo"),)),
    ],
    ids=["Intrigue", "Evacuation", "Arrest", "Escort"],
)
def test_the_buttons_that_drop_and_correct_a_draft_are_always_visible(
    card: str, king: str, steps: tuple[Action, ...]
) -> None:
    """EG-12.2: one press drops the draft after its first step, and single steps later."""
    position = table(acting(A, card), king=king, pieces=DRAFTED, chosen={"veterans": "all", "new_regency": "yes"})
    drafted = position.when(A, *steps).position
    view = el_grande.view(drafted.state, Seat(A))
    legal = [LegalAction(action, say(el_grande.describe(view, action))) for action in drafted.legal(A)]

    closing = [button for group in group_buttons(legal, DRAWING) if group.is_closing for button in group.buttons]

    assert closing[0].key == "0"
    assert "Choose all moves again" in [button.text for button in closing]
    further = next(choice.action for choice in legal if isinstance(choice.action, FURTHER))
    continued = drafted.when(A, further).position
    assert {a.CorrectDraft(), a.DropDraft()} <= {action for action in continued.legal(A) if DRAWING.closes(action)}


def test_the_disc_names_every_region_once() -> None:
    assert sorted(sector.region for sector in DIAL) == sorted(REGIONS)
