"""What the two verifiers must agree on, and why one of them may be stricter."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from domain.matches.verification.verify import VerifyFault
from tests.transparency.second import Fault

NEEDS_THE_RULES: Final = {
    "which actions are legal": r"is not a legal action|owes no action|may act|may not act for|cannot take back",
    "what an action brings about": r"should be|MatchEnded must follow|nothing brings about|must follow here",
    "what no position of the title can hold": r"no match can bring this about|is not a number from",
    "points and places of a position": r"those of the position are not",
    "the title's words": (
        r"fact of this title|canonical encoding of its fact|option .* cannot be|is played by|has no option"
        r"|is not one of|unknown here|needs|not played here"
    ),
    "cards and components": r"digest|components|is needed|deck",
    "the form of a fork, looked at before the entries, for which the first is blamed": r"its body is not a fact: ",
    "the bots of the house": r"cannot play|no bot",
}
"""What the first verifier finds and the second cannot, by its sentences: it knows no rules of a title."""

NEEDS_NO_SECRET: Final = {
    "a number that no format has": r"whole number of a size|rulesVersion cannot be",
    "a label, a pool, a count, an audience that no draw or hidden value has": (
        r"has no label|shows somebody its pool|has not \d+ outcomes|cannot be -?\d+ of|no commitment or no audience"
        r"|(seed|share) cannot be|not out of|which it cannot have|has not the parts"
    ),
    "an actor that is none": r"^(by|actor|bot|seats|standsInFor) cannot be",
    "who sits where, and for whom": r"stands in for|opens a table of an event|should be \[",
    "a ruling of that name, once, about a dispute": (
        r"on appeal of no ruling|was given before|ruling_given must follow|names no|nobody who rules"
        r"|no entry \d+ to rule on|does not let this line go on"
    ),
    "what has ended takes no more": r"is not being played|match is over|has ended|not running",
    "what must follow": r"must follow|should be with",
    "a seat that has resigned is played by the service": r"the service plays for this seat|has resigned",
    "a share that is awaited, or that nobody brings": r"has not committed to a share|and nobody else",
    "the clock of somebody who is no person": r"no person plays",
    "a signature that is missing": r"has not signed",
    "clocks that no ruling has given": r"clocks are those of each seat",
}
"""What the second finds and the first does not, mostly of a redacted log: it folds, the second asks who might."""


PASSES_BOTH: Final = {
    "another table: nobody has signed what it asks for": r"match_opened (by|table|rulesVersion)",
    "another ruling: who was entitled stands elsewhere": (
        r"ruling_given|paused dispute|resumed charged|voided reason|match_forked (clocks|by|ruling|dispute)"
    ),
    "another history of unsigned seats": (
        r"^swap|leave out action_taken|leave out pause_asked|put in|repeat|seat_replaced|seat_left by"
        r"|seat_ready standing|pause_asked|share_committed|seat_taken (by|commitment|shareBy|standsInFor)"
        r"|timed_out bot|taken_back"
    ),
}
"""Ways to damage a whole log that both may call good, because nothing in the file is against it."""


class Agreement(NamedTuple):
    """What both say of one file."""

    verdict: str
    """`agreed`, `rules` (the first alone, and why it may), `stricter` (the second alone), `passed`, or `disagreed`."""
    why: str = ""


def matching(reasons: dict[str, str], why: str) -> str | None:
    return next((reason for reason, pattern in reasons.items() if re.search(pattern, why)), None)


def compare(first: VerifyFault | None, second: Fault | None) -> Agreement:
    """Both blame the same entry, or one of them says something the other cannot."""
    if first is None and second is None:
        return Agreement("passed")
    if second is not None and "cannot be examined" in second.why:
        return Agreement("disagreed", f"the second broke down: {second}")
    if first is None:
        assert second is not None
        reason = matching(NEEDS_NO_SECRET, second.why)
        return Agreement("stricter", reason) if reason else Agreement("disagreed", f"only the second: {second}")
    reason = matching(NEEDS_THE_RULES, first.why)
    if second is None:
        return Agreement("rules", reason) if reason else Agreement("disagreed", f"only the first: {first}")
    if None in (first.entry, second.entry) or first.entry == second.entry:
        return Agreement("agreed")
    assert first.entry is not None
    assert second.entry is not None
    # One damage can show at two entries. Whoever knows less may see it only at the later one.
    is_told = reason if second.entry > first.entry else matching(NEEDS_NO_SECRET, second.why)
    return Agreement("agreed") if is_told else Agreement("disagreed", f"{first} and {second}")
