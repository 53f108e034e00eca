"""The audit of a log: openings, chance, legality, signatures and result, by replaying the match."""

from pathlib import Path
from typing import Final, NamedTuple
from uuid import UUID

from domain.kernel.chance import ImpossibleDraw, repeat_draw
from domain.kernel.rules import IllegalAction, MissingComponents, UnknownOption
from domain.kernel.title import AnyTitle, Titles, title_at
from domain.kernel.values import Value
from domain.matches.aggregate import Match, Result, require_played_rules
from domain.matches.apply import apply_fact, match_opened
from domain.matches.consequences import next_consequence, result_of
from domain.matches.errors import LogFault, MatchError
from domain.matches.facts import (
    ActionTaken,
    Fact,
    MatchEnded,
    MatchForked,
    MatchOpened,
    MatchStarted,
    RulingGiven,
    SeatTaken,
)
from domain.matches.log.entries import (
    ALL,
    Entry,
    Reader,
    canonical,
    check_openings,
    encode_fact,
    peek_fact_type,
    salt_for,
)
from domain.matches.log.log_files import LogFile, check_format, read_log
from domain.matches.redaction.redacted_logs import check_audiences, check_numbers, check_redacted_fact, check_retired
from domain.matches.rulings.outcome import Times
from domain.matches.rulings.ruling import counted_result, is_owed_a_ruling
from domain.matches.seats import opening
from domain.matches.seats.luck_shares import seats_with_own_luck
from domain.matches.titles import DecodedFact, find_title, read_with_hidden
from domain.matches.verification.expected_facts import find_expected_fact, repeat_opening, require_freed
from domain.matches.verification.proof_report import ProofShown
from domain.matches.verification.tally import ReadPast, SignaturesShown, VerifyTally
from domain.titles import TITLES

BROKEN: Final = (
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RecursionError,
    MemoryError,
)
"""Exceptions that the rules may raise when a log contains impossible values."""
REFUSED: Final = (MatchError, IllegalAction, UnknownOption)
"""Exceptions that the rules raise for illegal facts."""

SHOWN_MAX: Final = 300


class VerifyFault(Value, frozen=True):
    """The first bad entry (`None`: the file), the kind of fault and the reason."""

    entry: int | None
    kind: str
    why: str


class VerifyReport(Value, frozen=True):
    """The result of an audit; `unchecked` lists what this log does not allow a reader to verify."""

    fault: VerifyFault | None
    title: str | None = None
    match: str | None = None
    entries: int = 0
    head: str | None = None
    redacted_for: str | None = None
    status: str | None = None
    scores: tuple[int, ...] | None = None
    ranking: tuple[int, ...] | None = None
    draws_checked: int = 0
    openings_checked: int = 0
    actions_checked: int = 0
    unchecked: tuple[str, ...] = ()
    format: str | None = None
    own_luck: tuple[int, ...] = ()
    """Seats whose players contributed a share of luck; if empty, the service alone determined the luck."""
    signatures: SignaturesShown = SignaturesShown()
    proof: ProofShown | None = None
    """The contents of a proof file; None for a plain log."""
    ruled: bool = False
    """Whether rulings changed the scores or places that were played."""

    @property
    def is_good(self) -> bool:
        """Whether the audit found no fault."""
        return self.fault is None


def fault_of(version: int, error: Exception) -> LogFault:
    """Convert an error raised by the rules into a fault of an entry: of kind `components`, `chance` or `legality`."""
    if isinstance(error, MissingComponents | ImpossibleDraw):
        return LogFault(version, "chance" if isinstance(error, ImpossibleDraw) else "components", str(error))
    if isinstance(error, REFUSED):
        return LogFault(version, "legality", str(error))
    return LogFault(version, "legality", f"this cannot happen in a match ({type(error).__name__}: {error})")


def compare(version: int, stored: Fact, expected: Fact) -> None:
    """Raise `LogFault` with the first difference unless the stored fact equals the expected one."""
    if stored == expected:
        return
    if type(stored) is not type(expected):
        raise LogFault(version, "legality", f"{type(expected).__name__} must follow here, not {type(stored).__name__}")
    names = ("draws", *stored.__struct_fields__)
    name = next(name for name in names if getattr(stored, name, None) != getattr(expected, name, None))
    kind = {"draws": "chance", "scores": "scores", "ranking": "scores"}.get(name, "legality")
    raise LogFault(version, kind, difference(name, getattr(stored, name), getattr(expected, name)))


def difference(name: str, stored: object, expected: object) -> str:
    """Describe the first difference between a stored and an expected field in a sentence part."""
    if isinstance(stored, tuple) and isinstance(expected, tuple):
        for index, (left, right) in enumerate(zip(stored, expected, strict=False)):
            if left != right:
                return f"{name} number {index} should be {shorten(right)}, but is {shorten(left)}"
        return f"there should be {len(expected)} {name}, but there are {len(stored)}"
    return f"{name} should be {shorten(expected)}, but is {shorten(stored)}"


def shorten(value: object) -> str:
    """Return the `repr` of a value, cut to `SHOWN_MAX` characters."""
    text = repr(value)
    return text if len(text) <= SHOWN_MAX else f"{text[:SHOWN_MAX]}…"


def check_body(entry: Entry, decoded: DecodedFact, match: Match) -> None:
    """Raise `LogFault` for a body that is not canonical, or in a complete log has wrong salts.

    `check_openings` has already matched values and salts with their commitments.
    """
    if encode_fact(decoded.fact) != bytes(entry.body):
        raise LogFault(entry.version, "body", "the body is not the canonical encoding of its fact")
    if match.seed is None or not entry.secrets:
        return
    openings = {opening.commitment: opening for opening in entry.secrets}
    hidden_values = (hidden for hidden in decoded.hidden if hidden.is_known)
    for index, hidden in enumerate(hidden_values):
        opening = openings[hidden.commitment or ""]
        salt = salt_for(match.seed, entry.originator_id, entry.version, index).hex()
        if opening.salt != salt or canonical(hidden.value) != bytes(opening.value):
            raise LogFault(entry.version, "commitment", "its commitments do not use the salts of this entry")


def check_reader_openings(entry: Entry, decoded: DecodedFact, reader: Reader) -> None:
    """Raise `LogFault` unless an entry has exactly the openings for its reader, in the order of the body.

    Its hidden values have different salts, so no two have the same commitment.
    """
    fact, own_commitment = decoded.fact, None
    if isinstance(fact, SeatTaken) and fact.share is not None and fact.share_by == "client":
        own_commitment = fact.share.commitment
    seen_by = {hidden.commitment: hidden.audience for hidden in decoded.hidden}
    if len(seen_by) < len(decoded.hidden):
        raise LogFault(entry.version, "commitment", "two of its hidden values have the same commitment")
    expected = [
        each for each, seats in seen_by.items() if (reader == ALL or reader in seats) and each != own_commitment
    ]
    opened = [opening.commitment for opening in entry.secrets]
    if opened == expected:
        return
    for each in opened:
        if each not in seen_by:
            raise LogFault(entry.version, "commitment", f"no hidden value here has the commitment {each}")
        if each not in expected:
            raise LogFault(entry.version, "commitment", f"it opens {each}, which this reader may not see")
    missing = next((each for each in expected if each not in opened), None)
    why = "its openings are not in the order of the body" if missing is None else f"the opening of {missing} is missing"
    raise LogFault(entry.version, "commitment", why)


def verify_entries(log: LogFile, titles: Titles, tally: VerifyTally) -> Match:
    """Verify every entry in order and return the match; raise `LogFault` at the first bad or missing one.

    A complete log is audited. Of a redacted log, the visible values are checked. A log of retired rules is only folded,
    and its draws are repeated.
    """
    reader = log.reader
    excerpt = peek_fact_type(log.entries[0])
    title = find_title(titles, excerpt.title)
    match: Match | None = None
    past = ReadPast()
    ids: set[UUID] = set()
    for entry in log.entries:
        before = match
        try:
            check_openings(entry)
            if reader != ALL:
                check_numbers(entry)
            decoded = read_with_hidden(title, entry)
            if reader != ALL:
                check_audiences(entry.version, decoded.fact, decoded.hidden, 0 if before is None else len(before.seats))
            if decoded.hidden or entry.secrets:
                check_reader_openings(entry, decoded, reader)
            if before is None or isinstance(decoded.fact, MatchForked):
                check_new(entry, ids)
            match = verify_entry(title, before, entry, decoded.fact, past, is_whole=reader == ALL)
            check_body(entry, decoded, match)
            tally.count(entry, before, decoded.fact)
            tally.times = tally.times.after(match)
        except LogFault:
            raise
        except (*REFUSED, *BROKEN) as error:
            raise fault_of(entry.version, error) from error
    assert match is not None
    if match.format == 1:
        tally.unchecked[SHOWN_EARLY] = None
    if match.is_retired:
        tally.unchecked[f"legality: version {match.rules_version} of the rules is no longer supported"] = None
    if isinstance(reader, int) and reader >= len(match.seats):
        raise LogFault(
            None, "header", f"redactedFor {log.header.redacted_for!r} in the header is not a seat of the match"
        )
    if is_owed_a_ruling(match):
        raise LogFault(match.version + 1, "legality", f"the ruling {match.docket.ruling} must follow; it is missing")
    require_freed(match, None)
    if reader == ALL and not match.is_retired and (consequence := next_consequence(match)) is not None:
        raise LogFault(match.version + 1, "legality", f"{type(consequence).__name__} must follow; it is missing")
    return match


def check_new(entry: Entry, ids: set[UUID]) -> None:
    """Raise `LogFault` for a fork that reuses the id of a match in its own line; `ids` collects them."""
    if entry.originator_id in ids:
        raise LogFault(entry.version, "chain", f"a fork cannot have the id {entry.originator_id} of its own line")
    ids.add(entry.originator_id)


def verify_entry(
    title: AnyTitle, match: Match | None, entry: Entry, fact: Fact, past: ReadPast, *, is_whole: bool
) -> Match:
    """Verify an entry after `match` (None: the first) and return the match; raise `LogFault` or a command's error."""
    if match is None:
        assert isinstance(fact, MatchOpened), "no other fact names a title"
        if not 0 <= fact.rules_version <= title.rules.RULES_VERSION:
            raise LogFault(1, "legality", f"it uses rules version {fact.rules_version}, which is unknown here")
        if title.is_played(fact.rules_version):
            played_title = title_at(title, fact.rules_version)
            check_components(played_title, fact)
            compare(1, fact, repeat_opening(played_title, fact))
        return match_opened(title, entry, fact)
    owner, is_retired = match.id, match.is_retired
    if entry.originator_id != owner and not isinstance(fact, MatchForked):
        raise LogFault(entry.version, "chain", f"it belongs to match {entry.originator_id}, not to {owner}")
    if isinstance(fact, MatchOpened):
        raise LogFault(entry.version, "legality", "a match is opened only once")
    if is_owed_a_ruling(match) and not isinstance(fact, RulingGiven):
        raise LogFault(entry.version, "legality", f"the ruling {match.docket.ruling}, which resumes it, must follow")
    checked_fact = fact
    if is_retired:
        check_retired(match, fact, past)
    else:
        check = find_expected_fact if is_whole else check_redacted_fact
        expected = check(match, fact, entry.timestamp, past)
        compare(entry.version, fact, expected)
        # Equal to `fact`, but `expected` carries the cached position after its effects.
        checked_fact = expected if isinstance(expected, ActionTaken) else fact
    after = apply_fact(match, entry, checked_fact)
    past.keep(after, fact)
    if is_retired:
        check_draws(after, entry, fact)
    elif isinstance(fact, MatchEnded):
        check_result(result_of(match), entry, fact)
    return after


def check_result(expected: Result, entry: Entry, fact: MatchEnded) -> None:
    """Raise `LogFault` for scores and places that differ from the result of the position."""
    for name, stated, due in (("scores", fact.scores, expected.scores), ("places", fact.ranking, expected.ranking)):
        if stated != due:
            raise LogFault(entry.version, "scores", f"its {name} are {stated}, but the position has {due}")


def check_draws(match: Match, entry: Entry, fact: Fact) -> None:
    """Raise `LogFault` for draws that the luck key and listed pools do not give; nothing is checked without a key."""
    if match.key is None or not isinstance(fact, ActionTaken | MatchStarted):
        return
    for draw in fact.draws:
        expected = repeat_draw(match.key, draw)
        if expected != draw:
            raise LogFault(entry.version, "chance", difference("draw", draw, expected))


def check_components(title: AnyTitle, fact: MatchOpened) -> None:
    """Raise `LogFault` if a match's cards or components differ from those here, or as `options_for_seats` does."""
    options = opening.options_for_seats(title, fact.options, fact.seats)
    own_digest = title.rules.data_digest(options)
    if fact.data != own_digest:
        option_text = ", ".join(f"{name}={value}" for name, value in sorted(fact.options.items()))
        raise LogFault(
            1,
            "components",
            f"it uses cards and components with the digest {fact.data} ({option_text}); "
            f"here their digest is {own_digest}",
        )


SHOWN_EARLY: Final = (
    "luck: format 1 shows shares while seats are free, so the last player could choose a matching share"
)
REDACTED: Final = (
    "chance: the server seed is hidden, so draws cannot be recomputed",
    "legality: depends on hidden information",
    "hidden values: only their commitments are in the log",
)


class LogExamined(NamedTuple):
    """The report of an audit, the match up to the first fault, and its start and end times."""

    report: VerifyReport
    match: Match | None
    times: Times


def verify(log: LogFile, *, titles: Titles = TITLES, head: str | None = None) -> VerifyReport:
    """Verify a parsed log and return the report; `head` is the expected head digest, if known."""
    return examine_log(log, titles=titles, head=head).report


def examine_log(log: LogFile, *, titles: Titles = TITLES, head: str | None = None) -> LogExamined:
    """Verify a parsed log and return the report, the match and its times; a fault is reported, not raised.

    With `head` the log must have that head.
    """
    tally, fault, match = VerifyTally(), None, None
    try:
        if head is not None and head != log.header.head:
            raise LogFault(None, "header", f"the head in its header is {log.header.head}, not {head}")
        check_format(log.header.format)
        match = verify_entries(log, titles, tally)
    except LogFault as error:
        fault = VerifyFault(error.entry, error.kind, error.why)
    except MatchError as error:
        fault = VerifyFault(1, "body", str(error))
    if log.reader != ALL:
        tally.unchecked |= dict.fromkeys(REDACTED)
    tally.unchecked |= dict.fromkeys(tally.unchecked_acts())
    result = counted_result(match) if match is not None and match.is_over else None
    is_audited = log.reader == ALL and not (match is not None and match.is_retired)
    report = VerifyReport(
        fault=fault,
        title=log.header.title,
        match=str(log.header.match),
        entries=log.header.entries,
        head=log.header.head,
        redacted_for=log.header.redacted_for,
        status=None if match is None else match.status,
        scores=None if result is None else result.scores,
        ranking=None if result is None else result.ranking,
        draws_checked=tally.draws if log.reader == ALL else 0,
        openings_checked=tally.openings,
        actions_checked=tally.actions if is_audited else 0,
        unchecked=tuple(tally.unchecked),
        format=log.header.format,
        own_luck=() if match is None else seats_with_own_luck(match),
        signatures=tally.signatures,
        ruled=match is not None and result != match.result,
    )
    return LogExamined(report, match, tally.times)


def audit(log: LogFile, titles: Titles) -> Match:
    """Audit a complete log and return its match; raise `LogFault`, or `RulesRetired` if its rules are retired."""
    try:
        match = verify_entries(log, titles, VerifyTally())
    except LogFault:
        raise
    except MatchError as error:
        raise LogFault(1, "body", str(error)) from error
    require_played_rules(match)
    return match


def verify_file(path: Path, *, titles: Titles = TITLES, head: str | None = None) -> VerifyReport:
    """Verify a file and return the report; an unreadable file is reported as a fault."""
    try:
        log = read_log(path)
    except LogFault as error:
        return VerifyReport(VerifyFault(error.entry, error.kind, error.why))
    return verify(log, titles=titles, head=head)
