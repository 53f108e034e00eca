"""Texts for acts of organisers, shown in records of events and leagues and in the audit trail."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from domain.kernel.messages import N_

ACT_WORDS: Final[Mapping[str, str]] = {
    "plan_changed": N_("changed the settings"),
    "calendar_set": N_("changed the schedule"),
    "entry_password_set": N_("changed the password for entry"),
    "entry_list_set": N_("changed the list of names for entry"),
    "prizes_set": N_("changed the prizes"),
    "person_invited": N_("invited a player"),
    "entry_made": N_("accepted a late entry"),
    "entry_withdrawn": N_("withdrew a player"),
    "entry_returned": N_("readmitted a player"),
    "pairs_set": N_("changed the pairing rules"),
    "proposal_changed": N_("edited the proposed pairing"),
    "round_published": N_("published the round"),
    "tables_reseated": N_("reseated players"),
    "no_show_noted": N_("recorded a no-show"),
    "no_show_withdrawn": N_("withdrew a no-show"),
    "substitute_named": N_("named a substitute"),
    "result_entered": N_("changed a result"),
    "result_withdrawn": N_("undid a result"),
    "result_ruled": N_("ruled on a table"),
    "absences_stated": N_("stated an absence"),
    "alternate_listed": N_("changed the list of alternates"),
    "alternate_removed": N_("removed an alternate"),
    "penalty_given": N_("gave a penalty"),
    "round_closed": N_("closed the round"),
    "code_renewed": N_("issued a new code"),
    "photo_removed": N_("removed a photo"),
    "deadline_moved": N_("moved a deadline"),
    "left_to_bots": N_("left a table to bots"),
    "draw_changed": N_("changed the proposed draw"),
    "season_drawn": N_("drew the groups"),
    "round_opened": N_("opened the round"),
    "season_closed": N_("closed the season"),
    "contest_added": N_("added an event to the circuit"),
    "contest_withdrawn": N_("withdrew an event from the circuit"),
    "final_named": N_("named the final"),
    "standings_settled": N_("made the standings official"),
    "standings_corrected": N_("corrected the official standings"),
    "qualified_invited": N_("invited players to the final"),
    "places_released": N_("released places in the final"),
}
"""Kind of act -> text; the tests of the records check that none is missing."""
