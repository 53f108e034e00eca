"""Whether a proposed round still fits the current entries, results and pair rules."""

from domain.kernel.messages import N_, Message, say
from domain.pairing.problem import DEMAND_TEXTS, Pair, pair_of
from domain.standings.results import Results
from domain.tournaments.availability import away_players
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.preparation import paired_players
from domain.tournaments.state import Round, Tournament

WITHDRAWN = N_("{player} has withdrawn.")
AWAY = N_("{player} is away in this round.")
NO_LONGER = N_("{player} no longer plays in this round, given the current results.")
NO_PLACE = N_("{player} takes part but has no seat in this pairing.")


def list_misfits(state: Tournament, results: Results) -> tuple[Message, ...]:
    """Return a message for each way in which the proposal of the latest round no longer fits.

    These are withdrawn, absent or unqualified players, players without a place, and changed pair rules. Empty if the
    latest round is no proposal. The players in the messages are entry ids.
    """
    last = state.round
    if last is None or last.status != "proposed":
        return ()
    now = {*paired_players(state, last.stage, results, last.number)}
    without_place = now.difference(last.people)
    withdrawn = {entry.id for entry in state.entries if entry.status == "withdrawn"}
    why = dict.fromkeys(away_players(state, last.number), AWAY) | dict.fromkeys(withdrawn, WITHDRAWN)
    messages = [Message(why.get(name, NO_LONGER), {"player": name}) for name in last.people if name not in now]
    messages += [Message(NO_PLACE, {"player": entry.id}) for entry in state.entries if entry.id in without_place]
    return (*messages, *pairs_broken(state, last))


def pairs_broken(state: Tournament, last: Round) -> list[Message]:
    """Return messages about pair rules that changed after the pairing was requested and are not met."""
    at, people = {name: number for number, table in enumerate(last.tables) for name in table.entries}, {*last.people}

    def list_messages(kind: str, pairs: tuple[Pair, ...], former: tuple[Pair, ...], *, together: bool) -> list[Message]:
        new = {pair_of(*pair) for pair in pairs} - {pair_of(*pair) for pair in former}
        present = sorted(pair for pair in new if people.issuperset(pair))
        broken = [pair for pair in present if (at.get(pair[0], -1) == at.get(pair[1], -2)) != together]
        return [Message(DEMAND_TEXTS[kind], {"first": first, "second": second}) for first, second in broken]

    return [
        *list_messages("forbidden", state.forbidden, last.problem.forbidden, together=False),
        *list_messages("wished", state.wished, last.problem.wished, together=True),
    ]


def require_fitting(state: Tournament, results: Results) -> None:
    """Raise `TournamentRefused` with every reason why the proposal no longer fits."""
    if misfits := list_misfits(state, results):
        number = state.rounds[-1].number
        raise TournamentRefused(
            f"the proposal of round {number} no longer fits; pair it again: {' '.join(map(say, misfits))}"
        )
