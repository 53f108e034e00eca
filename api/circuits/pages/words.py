"""Words for circuits in the templates of pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from api.circuits.pages.addresses import path_in_form
from api.tournaments.acts import ACT_WORDS
from domain.circuits.counting import ContestStatus
from domain.circuits.plan import CircuitTieBreak, TermKind
from domain.kernel.messages import N_, plural

STATUS_WORDS: Final[Mapping[ContestStatus, str]] = {
    "upcoming": N_("upcoming"),
    "running": N_("in progress"),
    "ended": N_("ended"),
    "missing": N_("not found"),
}
ANSWER_WORDS: Final[Mapping[str, str]] = {
    "invited": N_("invited"),
    "entered": N_("has accepted"),
    "declined": N_("declined"),
    "withdrawn": N_("invitation withdrawn"),
    "left": N_("left the final"),
    "silent": N_("did not answer in time"),
}
TERM_WORDS: Final[Mapping[TermKind, str]] = {
    "constant": N_("for everyone"),
    "beaten": N_("for each participant placed below"),
    "share": N_("for the first place, evenly down to 0 for the last"),
    "size": N_("for each participant of the event"),
    "inverse": N_("divided by the place"),
    "top": N_("for the best places only"),
}
"""The quantity of a term, after its points."""
TOP: Final = plural("for the first place only", "for the best {count} places only")
TIE_BREAK_WORDS: Final[Mapping[CircuitTieBreak, str]] = {
    "countback": N_("best results that count"),
    "dropped": N_("best results that do not count"),
    "wins": N_("first places"),
    "results": N_("number of results"),
    "recent": N_("latest event"),
    "lot": N_("lots"),
}


def page_texts() -> dict[str, Any]:
    """Return the texts that templates of circuits use, by their names in the templates."""
    return {
        "contest_status": STATUS_WORDS,
        "answer_words": ANSWER_WORDS,
        "term_words": TERM_WORDS,
        "top_words": TOP,
        "tie_words": TIE_BREAK_WORDS,
        "act_words": ACT_WORDS,
        "path_in_form": path_in_form,
    }
