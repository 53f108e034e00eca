"""A ruling by an arbiter whose role was revoked before another ruling repeats it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from domain.eventstore.application import Matches
from domain.eventstore.log_files import export_log
from domain.keys.commands import register_key
from domain.matches.facts import SERVICE
from domain.matches.log.entries import ALL
from domain.matches.log.log_files import LogFile, log_of
from domain.matches.rulings.measures import LineResumed, PointsTaken
from domain.proofs.match_file import ProofFile
from domain.roles.commands import change_role
from tests.domain.disputes.disputing import PEOPLE, E, M, R, give_ruling, raise_dispute
from tests.domain.matches.match_helpers import START, act_once, forge_entry, start_match
from tests.domain.proofs.tournament_proofs import ART, Notary, house_in
from tests.signing import signing


def play_repeated_ruling(folder: Path) -> tuple[Matches, LogFile]:
    """Rule a penalty by an arbiter whose role is then revoked; another arbiter resumes from before it."""
    matches = house_in(folder)
    register_key(matches, "art", ART.named_key, at=START)
    for person in ("art", "ada"):
        change_role(matches, person, "arbiter", by=SERVICE, granted=True, at=START)
    match = start_match(matches, M, PEOPLE)
    for _ in range(6):
        match = act_once(matches, match)
    raise_dispute(matches, match.version)
    signing(matches, ART, lambda: give_ruling(matches, 70, PointsTaken(0, 3)))
    change_role(matches, "art", "arbiter", by=SERVICE, granted=False, at=START)
    raise_dispute(matches, match.version, id=E)
    give_ruling(matches, 71, LineResumed(match.version - 2, ""), by="ada", id=E, line=R)
    return matches, export_log(matches, R, ALL, at=START)


def unsign_repeated(matches: Matches, log: LogFile) -> ProofFile:
    """Return the proof of a log whose repeated ruling has no signature."""

    def unsign(body: Any) -> None:
        del body["signed"]

    again = next(entry.version for entry in log.entries if b"points_taken" in bytes(entry.body))
    unsigned = log_of(forge_entry(log, again, unsign).entries, ALL)
    notary = Notary(matches, instead={(entry.line_id, entry.version): entry for entry in unsigned.entries})
    return notary.match(unsigned)
