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


def area(view: View, shown: AreaView) -> tuple[str, ...]:
    """Format an area as table cells: name, scoring table, caballeros by seat, markers and neighbours.

    The castillo's caballeros are "shut" while they are secret.
    """
    if shown.counts is None:
        pieces = "shut"
    else:
        pieces = "  ".join(f"{whose(view, colour)}:{count}" for colour, count in enumerate(shown.counts) if count)
    marks = [f"Grande of {seat}" for seat in shown.grandes]
    if shown.is_kings:
        marks.insert(0, "KING")
    elif PLACE_INDEX[shown.id] in NEIGHBOURS[KING_INDEX[view.king]]:
        marks.insert(0, "next to the king")
    if shown.scoreboard:
        marks.append(say(terms.scoreboard(shown.scoreboard)))
    near = REGION_ROWS[shown.id].neighbors if shown.id in REGION_ROWS else ()
    beside = f"by {join_words(AREA_NAMES[name] for name in near)}" if near else ""
    return (f"  {shown.name}", "/".join(map(str, shown.prices)), pieces or "-", join_words(marks, ""), beside)


def card(shown: CardView) -> str:
    """Format an action card."""
    return f"  {shown.name} ({shown.id}), places {shown.caballeros}: {shown.text}"


def describe_hand_card(shown: HandCard) -> str:
    """Format a power card by its value, and a grey card with a plus, its value and its effect."""
    if isinstance(shown, int):
        return str(shown)
    grey = GREYS[GREY_NUMBER[shown]]
    return f"+{grey.value} {say(terms.grey_effect(grey))}"


def player(view: View, shown: PlayerView) -> str:
    """Format a player in lines, with the hand only if the reader may see it, else with its size."""
    power = "nothing" if not shown.power else str(shown.power)
    if shown.grey:
        power += f" with {describe_hand_card(shown.grey)} = {shown.result}"
    hand = (
        f"{shown.hand_count} cards"
        if shown.hand is None or 0 in shown.hand
        else join_words(map(describe_hand_card, shown.hand))
    )
    grande = AREA_NAMES[shown.grande] if shown.grande else "no place"
    pieces = f"court {shown.court}, province {shown.province}, Grande in {grande}"
    lines = [
        f"player {shown.seat}: {shown.score} points, {pieces}",
        f"  on the table  {power}",
        f"  played        {join_words(map(describe_hand_card, shown.shown))}",
        f"  hand          {hand}",
    ]
    vetoes = [veto for veto in view.vetoes if veto.seat == shown.seat]
    if vetoes:
        lines.append(f"  vetoes        {len(vetoes)}")
    if shown.has_chosen:
        lines.append(f"  has chosen    {shown.choice or 'in secret'}")
    return "\n".join(lines)


def line(view: View, shown: DraftLine) -> str:
    """Format a line of a draft."""
    return f"{shown.count} of {whose(view, shown.colour)} {shown.source} -> {shown.target}"


def turn(view: View) -> list[str]:
    """Format the current turn in lines: card in use, announcement and draft, if there are any."""
    lines = []
    if view.card:
        used = "used" if view.special_used else "not used"
        lines.append(f"card in use  {view.card.name}, {view.placed} placed, special action {used}")
    if view.announced:
        told = [view.announced.kind, view.announced.place, *(line(view, each) for each in view.announced.lines)]
        lines.append(f"announced    {join_words(filter(None, told))}")
    if view.draft:
        lines.append(f"draft        {join_words(line(view, each) for each in view.draft.lines)}")
    return lines


def text(view: View) -> str:
    """Format the view: round, order, king, regions, cards on offer, players and the dummy of two players."""
    lying = {shown.scoreboard for shown in view.areas}
    boards = [say(terms.scoreboard(board.id)) for board in BOARD_TABLE.scoreboards if board.id not in lying]
    lines = [
        f"round {view.round} of {view.rounds[-1]}, step {view.step}; to act: {join_words(view.to_act, 'none')}",
        f"turn order   {join_words(whose(view, colour) for colour in view.order)}; first player {view.first}",
        f"king         {AREA_NAMES[view.king]}",
        f"supply       {join_words(boards)}",
        *turn(view),
        "regions (seat:caballeros)",
        table([area(view, shown) for shown in view.areas]),
        "action cards on offer",
        *(map(card, view.offer) if view.offer else ("  none",)),
        *(player(view, shown) for shown in view.players),
    ]
    if view.dummy:
        power = view.dummy.power or "nothing"
        lines.append(f"dummy: supply {view.dummy.supply}, on the table {power}")
    return "\n".join(lines)
