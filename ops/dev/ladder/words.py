"""The ladder as a text table."""

from typing import Final

from ops.console import table
from ops.dev.balance.figures import Mean
from ops.dev.ladder.report import BotFigures, LadderReport

TIMES: Final = ("ms mean", "p95", "p99", "max")
HEAD: Final = ("bot", "seats", "win share (95 %)", "even", "score", "margin ± 95 %", "strength ± 95 %", *TIMES)


def text(report: LadderReport) -> str:
    """Format a report: a heading and a table with a row per bot in the report's order."""
    options = "".join(f", {name}={value}" for name, value in sorted(report.options.items()))
    head = (
        f"{report.title}: {report.matches} matches ({report.deals} deals) of {', '.join(report.bots)}, "
        f"seed {report.seed}{options}"
    )
    rows = [HEAD, *map(row, report.figures)]
    return f"{head}\n\n{table(rows, right=frozenset(range(1, len(HEAD))))}"


def row(each: BotFigures) -> tuple[str, ...]:
    """Format the row of a bot."""
    wins, times = each.wins, each.times
    return (
        each.bot,
        str(each.seats),
        f"{wins.share:.3f} [{wins.low:.3f}, {wins.high:.3f}]",
        f"{each.even:.2f}",
        f"{each.score.mean:.1f}",
        interval(each.margin),
        f"{each.strength:+.0f} ± {each.strength_within:.0f}",
        *(f"{figure:.1f}" for figure in (times.mean, times.p95, times.p99, times.longest)),
    )


def interval(mean: Mean) -> str:
    """Format a mean with its interval."""
    return f"{mean.mean:+.1f}" + ("" if mean.within is None else f" ± {mean.within:.1f}")
