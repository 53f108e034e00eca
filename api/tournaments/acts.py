"""Texts for acts of organisers, shown in records of events and leagues and in the audit trail."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from domain.kernel.messages import N_

ACT_WORDS: Final[Mapping[str, str]] = {
    "plan_changed": N_("changed the plan"),
    "calendar_set": N_("changed the dates"),
    "prizes_set": N_("changed the prizes"),
    "person_invited": N_("invited somebody"),
    "entry_made": N_("let somebody enter late, against the plan"),
    "entry_withdrawn": N_("withdrew somebody"),
    "entry_returned": N_("let somebody take part again"),
    "pairs_set": N_("changed who must not meet and who must sit together"),
    "proposal_changed": N_("changed places in the proposal"),
    "round_published": N_("published the round"),
    "tables_reseated": N_("seated people otherwise"),
    "no_show_noted": N_("noted that somebody did not come"),
    "no_show_withdrawn": N_("withdrew that somebody did not come"),
    "substitute_named": N_("named who plays for somebody"),
    "result_entered": N_("entered another result"),
    "result_withdrawn": N_("took back a result just entered"),
    "result_ruled": N_("ruled on a table"),
    "penalty_given": N_("gave a penalty"),
    "round_closed": N_("closed the round"),
    "code_renewed": N_("gave somebody another code"),
    "photo_removed": N_("took away a photo"),
    "deadline_moved": N_("moved a deadline"),
    "season_drawn": N_("drew the groups"),
    "round_opened": N_("opened the round"),
    "season_closed": N_("closed the season"),
}
"""Kind of act -> text; the tests of the records check that none is missing."""
