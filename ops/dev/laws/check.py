"""Check whole matches: every law at every node, and the audit of the exported log."""

from domain.kernel.loading import find_part
from domain.kernel.title import AnyTitle
from domain.matches.log.entries import ALL
from domain.matches.log.log_files import log_bytes, log_of, parse_log
from domain.matches.play.in_memory import play_to_end, seeded_origins, table_of_bots
from domain.matches.verification.verify import verify
from ops.dev.laws import every_title
from ops.dev.laws.walk import DEFAULTS, Chosen, Law, LawBroken, walk
from workers.bots import BOTS


def title_laws(title: str) -> tuple[Law, ...]:
    """Return the laws of one title, from `ops/dev/titles/TITLE/laws.py`, if there are any."""
    laws: tuple[Law, ...] = find_part(f"ops.dev.titles.{title}.laws", "LAWS") or ()
    return laws


def cheap_laws(title: str) -> tuple[Law, ...]:
    """Return the laws that need no log."""
    return title_laws(title) + every_title.CHEAP


def all_laws(title: str) -> tuple[Law, ...]:
    """Return all laws of a title."""
    return cheap_laws(title) + every_title.THOROUGH


def place_of(title: AnyTitle, seats: int, seed: str, chosen: Chosen) -> str:
    """Describe a match so that it can be replayed."""
    options = "".join(f", {name}={value}" for name, value in sorted(chosen.items()))
    return f"{title.name}, {seats} seats, seed {seed}{options}"


def check_match(
    title: AnyTitle, seats: int, seed: str, chosen: Chosen = DEFAULTS, laws: tuple[Law, ...] | None = None
) -> int:
    """Play a random match, check the laws (by default all) at every node, and return the number of nodes.

    Raises `LawBroken`, naming the law and the node, at the first broken one.
    """
    laws, count = all_laws(title.name) if laws is None else laws, 0
    for step in walk(title, seats, seed, chosen, is_read=not set(laws).isdisjoint(every_title.THOROUGH)):
        count += 1
        for law in laws:
            try:
                law(title, step)
            except AssertionError as broken:
                location = f"{place_of(title, seats, seed, chosen)}, node {step.node}"
                name = law.__name__.replace("_", " ")
                raise LawBroken(f"{name}: {broken} ({location}: seat {step.seat} does {step.action!r})") from broken
    return count


def audit_is_clean(title: AnyTitle, seats: int, seed: str, chosen: Chosen = DEFAULTS) -> int:
    """Play a match, export its log and verify it, in full and redacted for a spectator.

    Returns the number of entries. The audit decides every action again, so it detects rules that depend on anything but
    state and chance. Raises `LawBroken` at a fault.
    """
    bot = BOTS["random"]
    playout = table_of_bots(title, [bot.actor] * seats, chosen, seeded_origins(f"{seed}/{seats}".encode()))
    entries = play_to_end(playout, {bot.actor: bot.choose}).entries
    for reader in (ALL, None):
        report = verify(parse_log(log_bytes(log_of(entries, reader))), titles={title.name: title})
        if report.fault is not None:
            reader_name = "everybody" if reader == ALL else "a spectator"
            location = f"{place_of(title, seats, seed, chosen)}, the log for {reader_name}"
            raise LawBroken(
                f"audit is clean: entry {report.fault.entry}, {report.fault.kind}: {report.fault.why} ({location})"
            )
    return len(entries)
