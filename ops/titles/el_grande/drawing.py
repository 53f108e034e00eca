"""El Grande as text: regions with their caballeros, the king, cards and players."""

from collections.abc import Iterable
from typing import Final

from domain.kernel.messages import say
from domain.titles.el_grande import words_terms as terms
from domain.titles.el_grande.cards import GREY_NUMBER, GREYS
from domain.titles.el_grande.components import AREA_NAMES, BOARD_TABLE, KING_INDEX, NEIGHBOURS, PLACE_INDEX
from domain.titles.el_grande.state import DraftLine
from domain.titles.el_grande.view import AreaView, CardView, HandCard, PlayerView, View
from ops.console import table

REGION_ROWS: Final = {row.id: row for row in BOARD_TABLE.regions}


def join_words(items: Iterable[object], empty: str = "none") -> str:
    """Join words with commas."""
    return ", ".join(map(str, items)) or empty


def whose(view: View, colour: int) -> str:
    """Return the seat's number, or "dummy" for the third colour of two players."""
    return "dummy" if colour == view.setting.dummy else str(colour)


def area(view: View, area_view: AreaView) -> tuple[str, ...]:
    """Format an area as table cells: name, scoring table, caballeros by seat, markers and neighbours.

    The castillo's caballeros are "shut" while they are secret.
    """
    if area_view.counts is None:
        pieces = "shut"
    else:
        pieces = "  ".join(f"{whose(view, colour)}:{count}" for colour, count in enumerate(area_view.counts) if count)
    marks = [f"Grande of {seat}" for seat in area_view.grandes]
    if area_view.is_kings:
        marks.insert(0, "KING")
    elif PLACE_INDEX[area_view.id] in NEIGHBOURS[KING_INDEX[view.king]]:
        marks.insert(0, "next to the king")
    if area_view.scoreboard:
        marks.append(say(terms.scoreboard(area_view.scoreboard)))
    neighbours = REGION_ROWS[area_view.id].neighbors if area_view.id in REGION_ROWS else ()
    neighbour_text = f"by {join_words(AREA_NAMES[name] for name in neighbours)}" if neighbours else ""
    return (
        f"  {area_view.name}",
        "/".join(map(str, area_view.prices)),
        pieces or "-",
        join_words(marks, ""),
        neighbour_text,
    )


def card(card_view: CardView) -> str:
    """Format an action card."""
    return f"  {card_view.name} ({card_view.id}), places {card_view.caballeros}: {card_view.text}"


def describe_hand_card(hand_card: HandCard) -> str:
    """Format a power card by its value, and a grey card with a plus, its value and its effect."""
    if isinstance(hand_card, int):
        return str(hand_card)
    grey = GREYS[GREY_NUMBER[hand_card]]
    return f"+{grey.value} {say(terms.grey_effect(grey))}"


def player(view: View, player_view: PlayerView) -> str:
    """Format a player in lines, with the hand only if the reader may see it, else with its size."""
    power = "nothing" if not player_view.power else str(player_view.power)
    if player_view.grey:
        power += f" with {describe_hand_card(player_view.grey)} = {player_view.result}"
    hand = (
        f"{player_view.hand_count} cards"
        if player_view.hand is None or 0 in player_view.hand
        else join_words(map(describe_hand_card, player_view.hand))
    )
    grande = AREA_NAMES[player_view.grande] if player_view.grande else "no place"
    pieces = f"court {player_view.court}, province {player_view.province}, Grande in {grande}"
    lines = [
        f"player {player_view.seat}: {player_view.score} points, {pieces}",
        f"  on the table  {power}",
        f"  played        {join_words(map(describe_hand_card, player_view.shown))}",
        f"  hand          {hand}",
    ]
    vetoes = [veto for veto in view.vetoes if veto.seat == player_view.seat]
    if vetoes:
        lines.append(f"  vetoes        {len(vetoes)}")
    if player_view.has_chosen:
        lines.append(f"  has chosen    {player_view.choice or 'in secret'}")
    return "\n".join(lines)


def line(view: View, draft_line: DraftLine) -> str:
    """Format a line of a draft."""
    return f"{draft_line.count} of {whose(view, draft_line.colour)} {draft_line.source} -> {draft_line.target}"


def turn(view: View) -> list[str]:
    """Format the current turn in lines: card in use, announcement and draft, if there are any."""
    lines = []
    if view.card:
        usage = "used" if view.special_used else "not used"
        lines.append(f"card in use  {view.card.name}, {view.placed} placed, special action {usage}")
    if view.announced:
        details = [view.announced.kind, view.announced.place, *(line(view, each) for each in view.announced.lines)]
        lines.append(f"announced    {join_words(filter(None, details))}")
    if view.draft:
        lines.append(f"draft        {join_words(line(view, each) for each in view.draft.lines)}")
    return lines


def text(view: View) -> str:
    """Format the view: round, order, king, regions, cards on offer, players and the dummy of two players."""
    placed_boards = {each.scoreboard for each in view.areas}
    boards = [say(terms.scoreboard(board.id)) for board in BOARD_TABLE.scoreboards if board.id not in placed_boards]
    lines = [
        f"round {view.round} of {view.rounds[-1]}, step {view.step}; to act: {join_words(view.to_act, 'none')}",
        f"turn order   {join_words(whose(view, colour) for colour in view.order)}; first player {view.first}",
        f"king         {AREA_NAMES[view.king]}",
        f"supply       {join_words(boards)}",
        *turn(view),
        "regions (seat:caballeros)",
        table([area(view, each) for each in view.areas]),
        "action cards on offer",
        *(map(card, view.offer) if view.offer else ("  none",)),
        *(player(view, each) for each in view.players),
    ]
    if view.dummy:
        power = view.dummy.power or "nothing"
        lines.append(f"dummy: supply {view.dummy.supply}, on the table {power}")
    return "\n".join(lines)
