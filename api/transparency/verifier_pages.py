"""The second verifier: a page that verifies a log or a proof in the browser, also available as a single file.

Its modules were written from `docs/` alone and share no code with the rest; this module has their texts and builds the
file.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from litestar import Response, get
from litestar.enums import MediaType
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from markupsafe import Markup

from api.http.languages import LANGUAGES, _, use_language
from api.http.page_responses import PageRequest, render_page
from api.http.static_files import SHARED
from domain.kernel.messages import N_

MODULES: Final = Path(__file__).parent / "static" / "verifier"
PAGE: Final = "page"
"""The entry module; all others are found by its imports."""
STYLES: Final = (SHARED / "esporles.css", MODULES.parent / "verifier.css")
FETCHED_FONT: Final = re.compile(r"@font-face \{[^}]*url\([^}]*\}\n?")
"""Removed from the file, which must not load fonts and falls back to system fonts."""
FILE_CACHE: Final = "public, max-age=3600"

WORDS: Final[Mapping[str, str]] = {
    "nothing_false": N_("No problems found."),
    "false": N_("Verification failed: {kind}. Reason:"),
    "false_entry": N_("Verification failed at entry {entry}: {kind}. Reason:"),
    "stopped": N_("Verification stops at the first error; nothing after it was checked."),
    "report": N_("Results for {name}"),
    "checked": N_("Checked"),
    "unchecked": N_("Not checked"),
    "match": N_("Match"),
    "event": N_("Tournament"),
    "head": N_("Head digest"),
    "format": N_("Format"),
    "played": N_("Result as played"),
    "counts": N_("Official result"),
    "counts_nothing": N_("The match does not count."),
    "points": N_("seat {seat}: score {score}, place {place}"),
    "entries": N_("Key entries"),
    "of_seat": N_("(seat {seat})"),
    "more": N_("and {count} more"),
    "no_key": N_("Not a valid key or policy: {key}"),
    "no_match": N_("No log is available for this match. It may not exist, or you may not have access to it."),
    "no_event": N_(
        "No proof is available for this tournament. It may not exist, may not be over yet, or you may not have "
        "access to it."
    ),
    "standings": N_("Standings"),
    "column_rank": N_("Rank"),
    "column_who": N_("Player"),
    "column_points": N_("Points"),
    "column_played": N_("Tables"),
    "column_byes": N_("Byes"),
    "column_wins": N_("Wins"),
    "matches": N_("Matches: {count}"),
    "is_good": N_("no problems"),
    "is_false": N_("failed"),
    "part_match": N_("Round {round}, table {table}"),
    "part_roles": N_("Role records"),
    "part_records": N_("Tournament records"),
    "part_standings": N_("Standings"),
    "part_ratings": N_("Ratings"),
    "role_arbiter": N_("arbiter"),
    "role_head_arbiter": N_("head arbiter"),
    "role_operator": N_("operator"),
    "entries_luck": N_("Luck and secret numbers: {count}"),
    "entries_signature": N_("Signed: {count}"),
    "entries_secret": N_("Secret choices: {count}"),
    "entries_ruling": N_("Disputes and rulings: {count}"),
    "entries_turn": N_("Seats, clocks, take-backs, forks, end of match: {count}"),
    "kind_line": N_("line format"),
    "kind_chain": N_("chain of entries"),
    "kind_header": N_("file header"),
    "kind_body": N_("entry format"),
    "kind_commitment": N_("hidden values"),
    "kind_chance": N_("luck"),
    "kind_legality": N_("who may act, and when"),
    "kind_scores": N_("points and places"),
    "kind_signature": N_("signatures"),
    "kind_proof": N_("proof and tree"),
    "kind_roles": N_("authority of officials"),
    "kind_table": N_("match and table"),
    "kind_standings": N_("standings"),
    "kind_ratings": N_("ratings"),
    "checked_chain": N_(
        "Every line is in canonical form, and every entry contains the digest of the previous one. Entries: {count}."
    ),
    "checked_protocol": N_(
        "Everyone was allowed to do what they did: seats, secret numbers, clocks, pauses, take-backs, forks, rulings."
    ),
    "checked_openings": N_(
        "Hidden values match their commitments; their salts follow from the seed where it has been revealed. "
        "Values: {count}."
    ),
    "checked_draws": N_("Every random draw follows from the seed and all secret numbers. Draws: {count}."),
    "checked_places": N_("The places match the scores."),
    "checked_house_signed": N_("{name} signed the root of its tree."),
    "checked_cosigned": N_("Witness {name} cosigned this tree on {at} (UTC)."),
    "checked_quorum": N_("Enough of the witnesses you trust have cosigned: {quorum}."),
    "checked_key_chain": N_("The root key {root} vouches for the key of the server. Changes of keys: {count}."),
    "checked_labels": N_(
        "Leaves with a label: {count}. A second leaf for the same entry or record would show in the tree."
    ),
    "checked_included": N_("Every entry is in the tree of {origin}. Entries: {count}, leaves of the tree: {size}."),
    "checked_signatures": N_("All signatures are valid, each over what its signer had seen. Signatures: {count}."),
    "checked_granted": N_(
        "Everyone who granted a role or gave an order as an official was allowed to, and signed it if they had a "
        "key. Records: {count}, unsigned: {unsigned}."
    ),
    "checked_entitled": N_(
        "Entry {entry}: {by} was authorised to rule, as {role}. Role records up to the server: {records}, "
        "unsigned: {unsigned}."
    ),
    "checked_event_chain": N_("Every tournament record contains the digest of the previous one. Records: {count}."),
    "checked_matches": N_(
        "Every match played here is in the file, is a valid proof by itself, and belongs to its table and players. "
        "Matches: {count}."
    ),
    "checked_standings": N_("The standings follow from the results, tie-breaks included. Players: {count}."),
    "checked_counted_format_1": N_(
        "The standings use the rule of format 1: the points of a bot playing for an absent player do not count, "
        "but its place and tie-breaks do."
    ),
    "checked_counted_rule_1": N_(
        "The standings use rule 1, because the plan names no newer rule: the points of a bot playing for an absent "
        "player do not count, but its place and tie-breaks do."
    ),
    "checked_counted_rule_2": N_("The standings use rule 2: nothing a bot did for an absent player counts."),
    "checked_entries": N_("Entries made: {count}, substitutes named: {substitutes}."),
    "checked_plan_changes": N_("Changes of the plan or the calendar, by record: {what}."),
    "checked_corrections": N_("Corrections after the end, by record: {what}."),
    "checked_acts_rule": N_("The server did this alone, as earlier records require: {what}."),
    "checked_acts_console": N_("The console of the server organises this tournament and decided this: {what}."),
    "checked_service_luck": N_("The server alone determined the luck at these tables (round/table): {what}."),
    "checked_reopened": N_("The luck was replaced before the start at these tables (round/table: times): {what}."),
    "checked_holidays": N_("These entries had more days of holiday than the plan allows (days/allowed): {what}."),
    "unchecked_deadline_scores": N_("Scores at a deadline: this verifier does not compute them. Tables: {count}."),
    "unchecked_acts_unsigned": N_("Who decided this: it is not signed, so it could have been the server. {what}."),
    "unchecked_acts_own": N_("Acts of players about their own entries, stated by the server only: {what}."),
    "unchecked_claims": N_("Results claimed by players with their codes, stated by the server only. Claims: {count}."),
    "unchecked_by_results": N_("Whether the results allowed these records of the server: {what}."),
    "unchecked_pairings": N_("Pairings: whether better ones existed. This verifier does not compute them."),
    "unchecked_no_role_signatures": N_(
        "Signatures of officials: this browser does not support Ed25519. Records: {count}, unsigned: {unsigned}."
    ),
    "unchecked_not_begun_here": N_(
        "Whether the arbiters were authorised: the match did not start on this server, or started before the "
        "server signed entries. Rulings: {count}."
    ),
    "checked_ratings": N_("The ratings after each match follow from its result. Ratings: {count}."),
    "unchecked_ratings": N_("Ratings: this verifier does not know the rounds of the game. Rated matches: {count}."),
    "unchecked_ratings_before": N_("Ratings before the tournament: stated by the server."),
    "unchecked_two_histories_entries": N_(
        "Entries {range}: two histories cannot be excluded, because their leaves have no labels."
    ),
    "unchecked_two_histories_roles": N_(
        "Role records {range}: two histories cannot be excluded, because their leaves have no labels."
    ),
    "unchecked_two_histories_records": N_(
        "Tournament records {range}: two histories cannot be excluded, because their leaves have no labels."
    ),
    "unchecked_two_histories_matches": N_(
        "Entries of {count} of {all} matches: two histories cannot be excluded, because their leaves have no labels."
    ),
    "unchecked_in_matches": N_("What was not checked in a match is listed under that match."),
    "unchecked_unknown_records": N_(
        "Standings: the file contains records of a kind this verifier does not know. Records: {count}."
    ),
    "unchecked_no_signatures": N_("Signatures of entries: this browser does not support Ed25519. Signatures: {count}."),
    "unchecked_unsigned": N_(
        "Who acted in seat {seat} from entry {entry} on: the seat has no key, so it could have been the server."
    ),
    "unchecked_stopped_by_service": N_(
        "Who acted in seat {seat} from entry {entry} on: at this entry the server ended its signatures."
    ),
    "unchecked_absent_by_service": N_(
        "The clock of seat {seat}: at entry {entry} the server announced a holiday without a signature of the player."
    ),
    "unchecked_returned_by_service": N_(
        "The clock of seat {seat}: at entry {entry} the server ended a holiday without a signature of the player."
    ),
    "unchecked_seat_given": N_(
        "Who plays in seat {seat}: at entry {entry} the server gave it to {actor}, for the reason {reason}."
    ),
    "unchecked_seat_taken_over": N_(
        "Who plays in seat {seat}: at entry {entry} the server gave it to {actor}, and the log does not support its "
        "reason {reason}. This match is never rated."
    ),
    "unchecked_voided_by_service": N_("The end of the match: the server made it void at entry {entry}."),
    "unchecked_overtime": N_(
        "The clock of seat {seat}: at entry {entry} its time had been over for {seconds} seconds or more, and the "
        "server had not stopped it."
    ),
    "unchecked_by_sign_in": N_("Who owns the keys of seat {seat}: only the server vouches for one of them."),
    "unchecked_closed_signatures": N_("Signatures inside secret choices that have not been revealed: {count}."),
    "unchecked_unsigned_house": N_("What the server did: the log contains no server key, so none of it is signed."),
    "unchecked_other_house": N_(
        "Which server signed: from entry {entry}, some entries are signed with a key other than the server's."
    ),
    "unchecked_imported": N_(
        "Where it was played: another server opened this match. Entries 1 to {last} were not played on this server."
    ),
    "unchecked_imported_prefix": N_(
        "Where it was played: entries 1 to {last} come from a match that this server does not have. They were imported."
    ),
    "unchecked_unnamed_origin": N_(
        "Where it was played: the first entry names no server, so the match may have been imported."
    ),
    "unchecked_legality": N_(
        "Legality of actions: this verifier does not know the rules of the game. It takes effects and points from "
        "the file. Actions: {count}."
    ),
    "unchecked_redacted": N_(
        "This file was made for {reader}; what that reader may not see is hidden. Hidden values: {closed}, draws "
        "that cannot be repeated: {draws}."
    ),
    "unchecked_shown_early": N_(
        "In this older format, secret numbers could be revealed while seats were still free, so the file does not "
        "prove that no one chose the luck."
    ),
    "unchecked_house_luck": N_("No player added a secret number: the luck comes from the server alone."),
    "unchecked_parent_ended": N_(
        "Whether the original match was over: a fork with the same luck should only start after that."
    ),
    "unchecked_ungranted": N_(
        "Whether the arbiters were authorised: their roles are not in the file. Rulings: {count}."
    ),
    "unchecked_no_proof": N_(
        "Whether the server vouches for this log: a log alone does not prove its latest entry, or that it was not "
        "made up. A proof file does."
    ),
    "unchecked_no_ed25519": N_("Signature of {name}: this browser does not support Ed25519."),
    "unchecked_stranger": N_("Cosignature of {name}: its key is not one you trust."),
    "unchecked_not_cosigned": N_("What {name} has seen: this witness has not cosigned."),
    "unchecked_no_witness": N_("Whether the server shows everyone the same history: no trusted witness has cosigned."),
    "unchecked_no_trust": N_("Who owns the keys: the file itself names them. Paste the keys you know to be genuine."),
}
"""Texts of the modules, by name."""

IMPORT: Final = re.compile(r'^import (\{[^}]*\}) from "\./(\w+)\.js";$', re.MULTILINE)
EXPORT: Final = re.compile(r"^export (async function|function|class|const) (\w+)", re.MULTILINE)
VENDORED: Final = re.compile(r'import\("\./vendor/([\w.-]+)\.js"\)')
"""The import of a module of others, which is loaded only if a file needs it."""
VENDORED_EXPORT: Final = re.compile(r"export\{([^}]*)\};\s*$")


def read_module(name: str) -> str:
    """Return the source of a module."""
    return (MODULES / f"{name}.js").read_text()


def ordered_modules(name: str, found: dict[str, str] | None = None) -> dict[str, str]:
    """Return a module and its imports with their texts, dependencies first; `found` has the modules known already."""
    found = {} if found is None else found
    if name not in found:
        text = read_module(name)
        for match in IMPORT.finditer(text):
            ordered_modules(match[2], found)
        found[name] = text
    return found


def vendored_function(name: str) -> str:
    """Return a module of others as a function that returns its exports."""
    text = (MODULES / "vendor" / f"{name}.js").read_text()
    exported = VENDORED_EXPORT.search(text)
    assert exported is not None
    pairs = (pair.split(" as ") for pair in exported[1].split(","))
    names = ", ".join(f"{exported_name}: {local_name}" for local_name, exported_name in pairs)
    return f'vendored["{name}"] = () => {{\n{text[: exported.start()]}\nreturn {{ {names} }};\n}};'


@cache
def bundle_script() -> str:
    """Return all modules as one script without imports; each becomes a function that returns its exports.

    Modules of others are functions too, which run when one is loaded.
    """
    parts = ['"use strict";', "const modules = {}, vendored = {};"]
    for name, module_text in ordered_modules(PAGE).items():
        parts += [vendored_function(match[1]) for match in VENDORED.finditer(module_text)]
        text = VENDORED.sub(r'vendored["\1"]()', module_text)
        exported_names = ", ".join(match[2] for match in EXPORT.finditer(text))
        body = EXPORT.sub(r"\1 \2", IMPORT.sub(r"const \1 = modules.\2;", text))
        parts.append(f"modules.{name} = (() => {{\n{body}\nreturn {{ {exported_names} }};\n}})();")
    return "\n".join(parts)


def encode_texts() -> Markup:
    """Return the translated texts as JSON that is safe inside a script element."""
    encoded = json.dumps({name: str(_(text)) for name, text in WORDS.items()}, ensure_ascii=False)
    return Markup(encoded.replace("<", "\\u003c"))  # noqa: S704  (JSON without the one sign that could end it)


@get("/verify")
async def verify_page(request: PageRequest) -> Response[Any]:
    """Show the second verifier. With `match` or `event` in the query, it fetches that proof automatically."""
    return render_page(request, "transparency/verify.html", {"words": encode_texts, "languages": LANGUAGES})


def render_single_file(request: PageRequest, language: str) -> str:
    """Render the verifier in a language as a single file without any requests: scripts and styles included."""
    engine = request.app.template_engine
    assert engine is not None
    context = {
        "words": encode_texts,
        "script": Markup(bundle_script()),  # noqa: S704  (our own)
        "styles": Markup(FETCHED_FONT.sub("", "\n".join(path.read_text() for path in STYLES))),  # noqa: S704  (our own)
    }
    with use_language(language):
        html: str = engine.get_template("transparency/verifier.html").render(context)
    return html


@get("/verify/{language:str}/esporles-verify.html", media_type=MediaType.HTML)
async def verifier_file(request: PageRequest, language: FromPath[str]) -> Response[Any]:
    """Return the verifier as a single file in a language, or 404; 304 if the browser has the same."""
    if language not in LANGUAGES:
        raise NotFoundException
    content = render_single_file(request, language).encode()
    tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = {
        "Cache-Control": FILE_CACHE,
        "ETag": tag,
        "Content-Disposition": 'attachment; filename="esporles-verify.html"',
    }
    if request.headers.get("If-None-Match") == tag:
        return Response(b"", status_code=304, headers=headers)
    return Response(content, media_type=MediaType.HTML, headers=headers)


HANDLERS: Final = (verify_page, verifier_file)
