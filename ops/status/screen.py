"""The report as a screen of the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from ops.status.report import Report

SLOW: Final = 0.1
"""Seconds above which a duration is highlighted."""
HOUR_MINUTES: Final = 60
MEGABYTE: Final = 1_000_000


def milliseconds(seconds: float | None) -> Text:
    """Format a duration in milliseconds, from one second on in seconds; yellow from `SLOW` on, a dash for None."""
    if seconds is None:
        return Text("-", style="dim")
    text = f"{seconds * 1000:,.1f} ms" if seconds < 1 else f"{seconds:,.1f} s"
    return Text(text, style="yellow" if seconds >= SLOW else "")


def rate(per_second: float) -> str:
    """Format a rate."""
    return f"{per_second:,.1f}/s" if per_second < 100 else f"{per_second:,.0f}/s"


def share(part: float | None) -> str:
    """Format a share in per cent, or a dash for None."""
    return "-" if part is None else f"{part:.0%}"


def grid(rows: Sequence[tuple[str, RenderableType]]) -> Table:
    """Build a grid of names and values."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim")
    table.add_column(justify="right")
    for name, value in rows:
        table.add_row(name, value)
    return table


def build_table(head: Sequence[str], rows: Sequence[Sequence[RenderableType]]) -> Table:
    """Build a table with left-aligned text in the first column and right-aligned numbers in the others."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for number, name in enumerate(head):
        table.add_column(name, justify="left" if number == 0 else "right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    return table


def panel(title: str, content: RenderableType) -> Panel:
    """Build a panel."""
    return Panel(content, title=title, title_align="left", box=box.ROUNDED, border_style="dim", padding=(0, 1))


def numbers(values: Mapping[str, int], *, is_bad: bool = False) -> str:
    """Format the non-zero numbers with their names, sorted by name, red if bad; "none" without any."""
    colour = "red" if is_bad else "default"
    parts = [f"[{colour}]{value:,}[/] {name}" for name, value in sorted(values.items()) if value]
    return ", ".join(parts) or "none"


def processes(report: Report) -> Panel:
    """Build the panel of processes: share of a core, memory and open files, or "away" if one does not respond."""
    rows = [
        (
            Text(f"● {process.name}", style="green" if process.is_up else "red"),
            f"{process.cores:.0%}" if process.is_up else "down",
            f"{process.memory_bytes / MEGABYTE:,.0f} MB" if process.is_up else "",
            str(process.open_files) if process.is_up else "",
        )
        for process in report.processes
    ]
    return panel("Processes", build_table(("", "CPU", "memory", "files"), rows))


def requests(report: Report) -> Panel:
    """Build the panel of requests: rate, response times, rates by status and, if any, the most frequent routes."""
    statuses = "  ".join(
        f"[{'red' if status >= '500' else 'yellow' if status >= '400' else 'default'}]{status}[/] {rate(per_second)}"
        for status, per_second in report.statuses.items()
    )
    rows: list[tuple[RenderableType, ...]] = [
        (
            Text(f"{route.method} {route.route}", overflow="ellipsis"),
            rate(route.per_second),
            milliseconds(route.p99_seconds),
        )
        for route in report.routes
    ]
    head = grid(
        [
            ("responses", rate(report.requests_per_second)),
            ("latency, p50", milliseconds(report.p50_seconds)),
            ("latency, p99", milliseconds(report.p99_seconds)),
            ("event loop lag, p99", milliseconds(report.loop_lag_p99_seconds)),
        ]
    )
    body: list[RenderableType] = [head]
    if statuses:
        body += ["", statuses]
    if rows:
        body += ["", build_table(("route", "", "p99"), rows)]
    return panel("Requests", Group(*body))


def confirmation(report: Report) -> Text:
    """Return the age of the latest confirmation of the tree, marked if it is stale; a dash without one."""
    if report.tree_confirmed is None:
        return Text("-")
    minutes = max(0, int((report.at - report.tree_confirmed).total_seconds() // 60))
    age = f"{minutes} min ago" if minutes < 2 * HOUR_MINUTES else f"{minutes // HOUR_MINUTES} h ago"
    return Text(f"{age}, stale", style="yellow") if report.tree_is_stale else Text(age)


def log_panel(report: Report) -> Panel:
    """Build the panel of the log and the tree: rate and times of appends, extent, unsigned leaves, refused streams."""
    group = "-" if report.commands_per_group is None else f"{report.commands_per_group:.1f} commands"
    tree = "not served" if report.tree_leaves is None else f"{report.tree_leaves:,} leaves"
    rows: list[tuple[str, RenderableType]] = [
        ("stored", rate(report.appends_per_second)),
        ("append, p99", milliseconds(report.append_p99_seconds)),
        ("transaction, p99", milliseconds(report.commit_p99_seconds)),
        ("per transaction", group),
        ("log", f"{report.log_position:,} entries"),
        ("tree", tree),
        ("confirmed", confirmation(report)),
        ("unsigned", "-" if report.tree_unsigned is None else f"{report.tree_unsigned:,}"),
        ("blocked as tampered", Text(f"{report.refused_streams:,}", style="red" if report.refused_streams else "")),
    ]
    return panel("Log and tree", grid(rows))


def consumers_panel(report: Report) -> Panel:
    """Build the panel of followers, duties and queues, with the four followers furthest behind."""
    lags = {name: lag for name, lag in report.followers.items() if lag}
    largest = sorted(lags.items(), key=lambda pair: -pair[1])[:4]
    rows: list[tuple[str, RenderableType]] = [
        ("followers", f"{len(report.followers) - len(lags)} of {len(report.followers)} up to date"),
        *((f"  {name}", f"{lag:,} behind") for name, lag in largest),
        ("due", numbers(report.duties_owed)),
        ("overdue", numbers(report.duties_late, is_bad=True)),
        ("queued", numbers(report.queues)),
    ]
    return panel("Followers and jobs", grid(rows))


def workers_panel(report: Report) -> Panel:
    """Build the panel of workers and bots: rates of jobs and decisions, and failed jobs."""
    rows: list[tuple[str, RenderableType]] = [
        *((name, rate(per_second)) for name, per_second in report.jobs_per_second.items()),
        ("failed", Text(f"{report.jobs_failed:,}", style="red" if report.jobs_failed else "")),
        *((f"decisions, {name}", rate(per_second)) for name, per_second in report.choices_per_second.items()),
        ("decision, p99", milliseconds(report.choice_p99_seconds)),
    ]
    return panel("Workers and bots", grid(rows))


def streams_panel(report: Report) -> Panel:
    """Build the panel of open streams and of the hit ratio of each cache."""
    rows: list[tuple[str, RenderableType]] = [
        ("open streams", f"{report.streams:,}"),
        ("messages sent", rate(report.stream_pieces_per_second)),
        *((f"hit rate: {name}", share(part)) for name, part in report.caches.items()),
    ]
    return panel("Streams and caches", grid(rows))


def screen(report: Report, source: str) -> RenderableType:
    """Build the screen: time and problems in red, or that all is well, above two columns of panels."""
    head = Text.assemble(("Esporles ", "bold"), source, (f"  {report.at:%Y-%m-%d %H:%M:%S} UTC", "dim"))
    problems: RenderableType = Text("● no problems", style="green")
    if report.attention:
        problems = Group(*(Text(f"▲ {sentence}", style="red") for sentence in report.attention))
    risks = [Text(f"△ {sentence}", style="yellow") for sentence in report.risks]
    columns = Table.grid(expand=True, padding=(0, 1, 0, 0))
    columns.add_column(ratio=3)
    columns.add_column(ratio=2)
    left_column = Group(processes(report), requests(report))
    right_column = Group(log_panel(report), consumers_panel(report), workers_panel(report), streams_panel(report))
    columns.add_row(left_column, right_column)
    return Group(head, problems, *risks, columns)
