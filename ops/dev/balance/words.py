"""The balance report as text tables."""

from collections.abc import Iterable

from ops.console import table
from ops.dev.balance.figures import Mean
from ops.dev.balance.report import BalanceReport, Component

SCORE_HEAD = ("players", "seat", "seats", "mean", "sd", "min", "25 %", "50 %", "75 %", "max", "wins", "margin ± 95 %")
ITEM_HEAD = ("seats", "share", "uses", "with ± 95 %", "without", "difference ± 95 %")


def text(report: BalanceReport) -> str:
    """Format all sections, separated by blank lines; bots only if there are several."""
    options = "".join(f", {name}={value}" for name, value in sorted(report.options.items()))
    players = ", ".join(map(str, report.players))
    head = (
        f"{report.title}: {report.matches} matches of {players} players, bots {', '.join(report.bots)}, "
        f"seed {report.seed}{options}{report.taking and f'; first choice {report.taking}'}"
    )
    kinds = tuple(dict.fromkeys(component.kind for component in report.components))
    return "\n\n".join([
        head,
        "Scores (margin: points above the mean of the table)\n" + scores(report),
        "Sources of points: points per seat, and share of all points\n" + sources(report),
        *(f"{kind}s\n" + components(report, kind) for kind in kinds),
        *(["Bots\n" + bots(report)] if report.by_bot else []),
    ])  # fmt: skip


def scores(report: BalanceReport) -> str:
    """Format the table of scores, with a line per number of players and seat."""
    rows: list[tuple[str, ...]] = [SCORE_HEAD]
    for line in report.scores:
        spread = line.scores
        numbers = (spread.lowest, spread.quarter, spread.median, spread.three_quarters, spread.highest)
        rows.append((
            str(line.players),
            "all" if line.seat is None else str(line.seat),
            str(spread.count),
            f"{spread.mean:.1f}",
            f"{spread.deviation:.1f}",
            *map(str, numbers),
            f"{line.wins:.0%}",
            interval(line.margin),
        ))  # fmt: skip
    return table(rows, right=frozenset(range(len(SCORE_HEAD))))


def sources(report: BalanceReport) -> str:
    """Format the table of sources, with two columns per number of players."""
    by_players_and_source = {(line.players, line.source): line for line in report.sources}
    rows = [("source", *(cell for players in report.players for cell in (f"{players} players", "share")))]
    for source in dict.fromkeys(line.source for line in report.sources):
        lines = [by_players_and_source[players, source] for players in report.players]
        rows.append((source, *(cell for line in lines for cell in (f"{line.points:.1f}", f"{line.share:.1%}"))))
    return table(rows, right=frozenset(range(1, len(rows[0]))))


def components(report: BalanceReport, kind: str) -> str:
    """Format the table of one kind of components, the largest difference first and unused components last."""
    rows = [(kind, "", *ITEM_HEAD, ""), *(_row(each) for each in _rank(report, kind))]
    return table(rows, right=frozenset(range(2, 2 + len(ITEM_HEAD))))


def _rank(report: BalanceReport, kind: str) -> Iterable[Component]:
    """Sort the components of a kind by difference, with unused ones last."""
    of_kind = [component for component in report.components if component.kind == kind]
    return sorted(of_kind, key=lambda each: (not each.seats, -each.difference.mean))


def _row(each: Component) -> tuple[str, ...]:
    """Return a component as table cells, with dashes for figures if no seat took it."""
    intervals = (
        (interval(each.with_it), f"{each.without_it.mean:+.2f}", interval(each.difference)) if each.seats else ()
    )
    return (
        each.id,
        "" if each.name == each.id else each.name,
        str(each.seats),
        f"{each.rate:.1%}",
        f"{each.uses:.1f}",
        *(intervals or ("-", "-", "-")),
        "; ".join(each.remarks),
    )


def bots(report: BalanceReport) -> str:
    """Format the table of bots."""
    rows = [("bot", "wins", "margin ± 95 %")]
    rows += [(each.bot, f"{each.wins:.0%}", interval(each.margin)) for each in report.by_bot]
    return table(rows, right=frozenset((1, 2)))


def interval(mean: Mean) -> str:
    """Format a mean with its interval."""
    return f"{mean.mean:+.2f}" + ("" if mean.within is None else f" ± {mean.within:.2f}")
