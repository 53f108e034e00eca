"""Effects on the board: caballeros, Grandes, king, scoreboards, scores."""

from domain.kernel.values import replace
from domain.titles.el_grande import effects as done
from domain.titles.el_grande.components import AREAS, BOARDS, KING_INDEX, PLACE_INDEX, SETUP
from domain.titles.el_grande.state import DraftLine, State


def move_counts(pieces: tuple[tuple[int, ...], ...], lines: tuple[DraftLine, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the counts by place and colour after all lines, applied in order."""
    rows = list(pieces)
    for line in lines:
        colour, count = line.colour, line.count
        source, target = PLACE_INDEX[line.source], PLACE_INDEX[line.target]
        row = rows[source]
        assert row[colour] >= count, "no place holds fewer than no caballeros"
        rows[source] = (*row[:colour], row[colour] - count, *row[colour + 1 :])
        row = rows[target]
        rows[target] = (*row[:colour], row[colour] + count, *row[colour + 1 :])
    return tuple(rows)


def king_stood(state: State, effect: done.KingStood) -> State:
    """Put the king into his first region."""
    return replace(state, king=KING_INDEX[effect.region])


def home_taken(state: State, effect: done.HomeTaken) -> State:
    """Put a Grande and caballeros into the home region and caballeros into the Court."""
    seat, region = effect.seat, effect.region
    lines = (
        DraftLine(seat, "province", region, SETUP.start_in_home_region),
        DraftLine(seat, "province", "court", SETUP.start_court),
    )
    grandes = list(state.grandes)
    grandes[seat] = PLACE_INDEX[region]
    return replace(state, pieces=move_counts(state.pieces, lines), grandes=tuple(grandes))


def dummy_region_drawn(state: State, effect: done.DummyRegionDrawn) -> State:
    """Record the drawn region card, and move the dummy's caballeros if any are placed."""
    regions = (*state.dummy_regions, PLACE_INDEX[effect.region])
    if not effect.count:
        return replace(state, dummy_regions=regions)
    line = DraftLine(state.setting.dummy, "province", effect.region, effect.count)
    return replace(state, dummy_regions=regions, pieces=move_counts(state.pieces, (line,)))


def dummy_regions_shuffled(state: State, _: done.DummyRegionsShuffled) -> State:
    """Return all region cards to the dummy's stack."""
    return replace(state, dummy_regions=())


def caballeros_moved(state: State, effect: done.CaballerosMoved) -> State:
    """Move the caballeros of all lines, and count them if they are placed."""
    pieces = move_counts(state.pieces, effect.lines)
    if effect.placement:
        return replace(state, pieces=pieces, placed=state.placed + effect.lines[0].count)
    return replace(state, pieces=pieces)


def king_moved(state: State, effect: done.KingMoved) -> State:
    """Move the king."""
    return replace(state, king=KING_INDEX[effect.place])


def grande_moved(state: State, effect: done.GrandeMoved) -> State:
    """Move a Grande."""
    grandes = list(state.grandes)
    grandes[effect.seat] = PLACE_INDEX[effect.area]
    return replace(state, grandes=tuple(grandes))


def scoreboard_placed(state: State, effect: done.ScoreboardPlaced) -> State:
    """Put a scoreboard at an area."""
    boards = list(state.boards)
    boards[BOARDS.index(effect.board)] = PLACE_INDEX[effect.area]
    return replace(state, boards=tuple(boards))


def castillo_opened(state: State, effect: done.CastilloOpened) -> State:
    """Return the state unchanged; opening the Castillo only reveals its contents."""
    assert state.pieces[PLACE_INDEX["castillo"]] == effect.counts
    return state


def area_scored(state: State, effect: done.AreaScored) -> State:
    """Add the points of an area to the scores."""
    assert effect.area in AREAS
    return replace(state, scores=tuple(map(int.__add__, state.scores, effect.points)))
