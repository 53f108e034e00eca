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
    "nothing_false": N_("Nothing false was found."),
    "false": N_("False: {kind}. Because:"),
    "false_entry": N_("False at entry {entry}: {kind}. Because:"),
    "stopped": N_("The examination ends at the first fault; nothing behind it was looked at."),
    "report": N_("What was found in {name}"),
    "checked": N_("Checked"),
    "unchecked": N_("Could not be checked"),
    "match": N_("Match"),
    "event": N_("Tournament"),
    "head": N_("Head"),
    "format": N_("Format"),
    "played": N_("Result as it was played"),
    "counts": N_("Result as it counts"),
    "counts_nothing": N_("The match counts for nothing."),
    "points": N_("seat {seat}: points {score}, place {place}"),
    "entries": N_("Entries that decide"),
    "of_seat": N_("of seat {seat}"),
    "more": N_("and {count} more"),
    "no_key": N_("This is no key: {key}"),
    "no_match": N_("The server gave no log of this match: it is not there, or not for you to see."),
    "no_event": N_(
        "The server gave no proof of this tournament: it is not there, has not ended, or is not for you to see."
    ),
    "standings": N_("Standings"),
    "column_rank": N_("Rank"),
    "column_who": N_("Player"),
    "column_points": N_("Points"),
    "column_played": N_("Tables"),
    "column_byes": N_("Byes"),
    "column_wins": N_("Wins"),
    "matches": N_("Matches: {count}"),
    "is_good": N_("nothing false"),
    "is_false": N_("false"),
    "part_match": N_("Round {round}, table {table}"),
    "part_roles": N_("Records of roles"),
    "part_records": N_("Records of the tournament"),
    "part_standings": N_("Standings"),
    "role_arbiter": N_("arbiter"),
    "role_head_arbiter": N_("head arbiter"),
    "role_operator": N_("operator"),
    "entries_luck": N_("Luck and secret numbers: {count}"),
    "entries_signature": N_("Signed: {count}"),
    "entries_secret": N_("Secret choices: {count}"),
    "entries_ruling": N_("Disputes and rulings: {count}"),
    "entries_turn": N_("Seats, time, taking back, forks, the end: {count}"),
    "kind_line": N_("form of a line"),
    "kind_chain": N_("chain of entries"),
    "kind_header": N_("header of the file"),
    "kind_body": N_("form of an entry"),
    "kind_commitment": N_("hidden values"),
    "kind_chance": N_("luck"),
    "kind_legality": N_("who may do what, and when"),
    "kind_scores": N_("points and places"),
    "kind_signature": N_("signatures"),
    "kind_proof": N_("proof and tree"),
    "kind_roles": N_("who was entitled"),
    "kind_table": N_("match and table"),
    "kind_standings": N_("standings"),
    "checked_chain": N_(
        "Every line is written the one way it can be, and every entry names the digest before it. Entries: {count}."
    ),
    "checked_protocol": N_(
        "At every entry that person might do this: seats, secret numbers, clocks, pauses, taking back, forks, rulings."
    ),
    "checked_openings": N_(
        "Hidden values open what was committed to; their salts follow from the seed where it is open. Values: {count}."
    ),
    "checked_draws": N_("Every draw of luck follows from the seed and all shares. Draws: {count}."),
    "checked_places": N_("The places agree with the points."),
    "checked_house_signed": N_("{name} has signed the root of its tree."),
    "checked_cosigned": N_("The witness {name} has cosigned that tree at {at} (UTC)."),
    "checked_included": N_("Every entry is in the tree of {origin}. Entries: {count}, leaves of the tree: {size}."),
    "checked_signatures": N_("The signatures are true, each over what its signer had seen. Signatures: {count}."),
    "checked_granted": N_(
        "Whoever gave a role, or ordered something as an official, was free to do it, and signed where they had a key. "
        "Records: {count}, of these unsigned: {unsigned}."
    ),
    "checked_entitled": N_(
        "Entry {entry}: {by} was entitled to rule, as {role}. Records of roles that lead to the server:"
        " {records}; of these unsigned: {unsigned}."
    ),
    "checked_event_chain": N_("Every record of the tournament names the digest before it. Records: {count}."),
    "checked_matches": N_(
        "Every match that was played here is in the file, holds as a proof of its own, and belongs to its table and to "
        "those who sit there. Matches: {count}."
    ),
    "checked_standings": N_(
        "Points, tables, byes, wins, penalties and stages are those that the results give, and no rank contradicts "
        "them. People: {count}."
    ),
    "checked_counted_format_1": N_(
        "The standings are counted by the rule of format 1: the points of a bot in the seat of an absent player do not"
        " count, its place and tie-breaks do."
    ),
    "checked_counted_rule_1": N_(
        "The standings are counted by rule 1, because the plan names no newer rule: the points of a bot in the seat of"
        " an absent player do not count, its place and tie-breaks do."
    ),
    "checked_counted_rule_2": N_(
        "The standings are counted by rule 2: nothing that a bot did in the seat of an absent player counts."
    ),
    "unchecked_no_role_signatures": N_(
        "The signatures of officials: this browser has no Ed25519. Records: {count}, of these unsigned: {unsigned}."
    ),
    "unchecked_not_begun_here": N_(
        "Whether the arbiters were entitled: the match was not begun on this server, or before the server"
        " signed. Rulings: {count}."
    ),
    "unchecked_tie_breaks": N_(
        "Tie-breaks: this verifier does not count them. Between equals it takes the order from the file."
    ),
    "unchecked_ratings": N_("Ratings: this verifier does not compute them. Rated matches: {count}."),
    "unchecked_in_matches": N_("What could not be checked of a single match stands with that match."),
    "unchecked_unknown_records": N_(
        "The standings: the file holds records of a kind that this verifier does not know. Records: {count}."
    ),
    "unchecked_no_signatures": N_("The signatures of the entries: this browser has no Ed25519. Signatures: {count}."),
    "unchecked_unsigned": N_(
        "Who acted on seat {seat}, from entry {entry} on: the seat has no key, so the server could have done it."
    ),
    "unchecked_by_sign_in": N_("Whose the keys of seat {seat} are: one of them is vouched for by the server alone."),
    "unchecked_closed_signatures": N_("Signatures inside secret choices that are closed: {count}."),
    "unchecked_unsigned_house": N_("What the service did: the log names no key of a server, so it has signed nothing."),
    "unchecked_other_house": N_(
        "Which server signed: some entries are signed with another key than that of the server."
    ),
    "unchecked_legality": N_(
        "Legality of actions: this verifier knows no rules of the game. Effects and points are taken from the file. "
        "Actions: {count}."
    ),
    "unchecked_redacted": N_(
        "The file is made for {reader}: what that reader may not see is closed. "
        "Closed values: {closed}, draws that cannot be repeated: {draws}."
    ),
    "unchecked_shown_early": N_(
        "In this older format secret numbers could be opened while seats were free, so it does not prove"
        " that nobody chose the luck."
    ),
    "unchecked_house_luck": N_("No player added a secret number: the luck comes from the server alone."),
    "unchecked_parent_ended": N_(
        "Whether the match this one was forked from had ended: a fork with the same luck should wait for that."
    ),
    "unchecked_ungranted": N_("Whether the arbiters were entitled: their roles are not in the file. Rulings: {count}."),
    "unchecked_no_proof": N_(
        "Whether the server vouches for this log: a log alone proves nothing about its newest entry, nor"
        " that it is not made up. A proof file does."
    ),
    "unchecked_no_ed25519": N_("The signature of {name}: this browser has no Ed25519."),
    "unchecked_stranger": N_("The cosignature of {name}: its key is none of those you trust."),
    "unchecked_not_cosigned": N_("What {name} has seen: this witness has not cosigned."),
    "unchecked_no_witness": N_(
        "Whether the server shows everybody the same history: no witness that counts has cosigned."
    ),
    "unchecked_no_trust": N_("Whose the keys are: the file names them itself. Paste the keys you know to be true."),
}
"""Texts of the modules, by name."""

IMPORT: Final = re.compile(r'^import (\{[^}]*\}) from "\./(\w+)\.js";$', re.MULTILINE)
EXPORT: Final = re.compile(r"^export (async function|function|class|const) (\w+)", re.MULTILINE)


def read_module(name: str) -> str:
    """Return the source of a module."""
    return (MODULES / f"{name}.js").read_text()


def ordered_modules(name: str, found: dict[str, str] | None = None) -> dict[str, str]:
    """Return a module and its imports, dependencies first."""
    found = {} if found is None else found
    if name not in found:
        text = read_module(name)
        for match in IMPORT.finditer(text):
            ordered_modules(match[2], found)
        found[name] = text
    return found


@cache
def bundle_script() -> str:
    """Return all modules as one script without imports; each becomes a function that returns its exports."""
    parts = ['"use strict";', "const modules = {};"]
    for name, text in ordered_modules(PAGE).items():
        exported = ", ".join(match[2] for match in EXPORT.finditer(text))
        plain = EXPORT.sub(r"\1 \2", IMPORT.sub(r"const \1 = modules.\2;", text))
        parts.append(f"modules.{name} = (() => {{\n{plain}\nreturn {{ {exported} }};\n}})();")
    return "\n".join(parts)


def encode_texts() -> Markup:
    """Return the translated texts as JSON that is safe inside a script element."""
    told = json.dumps({name: str(_(text)) for name, text in WORDS.items()}, ensure_ascii=False)
    return Markup(told.replace("<", "\\u003c"))  # noqa: S704  (JSON without the one sign that could end it)


@get("/verify")
async def verify_page(request: PageRequest) -> Response[Any]:
    """Show the second verifier. With `match` or `event` in the query, it fetches that proof automatically."""
    return render_page(request, "transparency/verify.html", {"words": encode_texts, "languages": LANGUAGES})


def render_single_file(request: PageRequest, language: str) -> str:
    """Render the verifier as a single file without any requests."""
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
    """Return the verifier as a single file; the same for all readers until its sources change."""
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
