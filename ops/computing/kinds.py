"""The kinds of computations of calculators, and the encoding of their pieces."""

from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from api.transparency.audit import Difference
from api.transparency.audit_progress import AuditProgress
from domain.kernel.loading import find_part
from domain.matches.verification.verify import VerifyReport
from domain.proofs.match import Trust, verify_content
from domain.transparency.policy import Policy
from ops.computing.spread import Spread
from ops.transparency.store_audit import ExaminationStart, examiner_under, spans_of, tiles_of
from projections.platform.settings import Settings
from workers.computations import Compute, Kinds
from workers.matches.bot_turn import Players

VERIFY: Final = "verify"
EXAMINE: Final = "examine"

Span = tuple[int, int]
"""The first number of a piece, and the number after its last."""


class Trusted(msgspec.Struct, frozen=True):
    """The trusted services and witnesses, or None."""

    policy: Policy | None = None


def kinds_of(players: Players, settings: Settings) -> Kinds:
    """Return the computations by kind, with these titles and bots, and with the log and tree of these settings.

    Each takes a specification and returns the function that computes pieces. In a checkout they include `ops.dev`'s.
    """

    def verify(spec: bytes) -> Compute:
        trust = msgspec.json.decode(spec, type=Trusted).policy
        return lambda piece: msgspec.json.encode(verify_content(piece, titles=players.titles, trust=trust))

    def examine(spec: bytes) -> Compute:
        find_differences = examiner_under(settings, msgspec.json.decode(spec, type=ExaminationStart))
        return lambda piece: msgspec.json.encode(find_differences(*msgspec.json.decode(piece, type=Span)))

    further_kinds: Callable[[Players], Kinds] | None = find_part("ops.dev.computing", "kinds_of")
    further = {} if further_kinds is None else further_kinds(players)
    return {VERIFY: verify, EXAMINE: examine, **further}


def verify_spread(spread: Spread, contents: list[bytes], trust: Trust) -> Iterator[tuple[int, VerifyReport]]:
    """Verify logs and proofs of matches on calculators; yield (index, report) in order of completion."""
    for index, result in spread(VERIFY, msgspec.json.encode(Trusted(trust)), contents):
        yield index, msgspec.json.decode(result, type=VerifyReport)


def examine_spread(spread: Spread, state: AuditProgress) -> Iterator[tuple[int, list[Difference]]]:
    """Examine the tiles of a store on calculators; yield (tile reached, differences) in order of the tiles.

    The computation is identified by the examination, so that it resumes after a crash.
    """
    start, spans_ = ExaminationStart(state.begun, state.size, state.root), spans_of(tiles_of(state))
    differences_by_span, index = dict[int, list[Difference]](), 0
    for number, result in spread(EXAMINE, msgspec.json.encode(start), [msgspec.json.encode(span) for span in spans_]):
        differences_by_span[number] = msgspec.json.decode(result, type=list[Difference])
        while index in differences_by_span:
            yield spans_[index][1], differences_by_span.pop(index)
            index += 1
