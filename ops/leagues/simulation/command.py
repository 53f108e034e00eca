"""`esporles league simulate`: a simulated year, with a report and an exit status."""

from argparse import Namespace

from ops.console import SUCCESS, Finding, result_writer, table
from ops.leagues.simulation.checks import failed_sentence
from ops.leagues.simulation.shape import Shape, check_shape
from ops.leagues.simulation.simulate import Report, simulate
from ops.progress import progress


def run(arguments: Namespace) -> int:
    """Simulate a year, print the report and return `SUCCESS`.

    Raises `WrongUsage` for options that do not fit together, `Finding` if a check fails.
    """
    shape = Shape(**{name: getattr(arguments, name) for name in Shape.__struct_fields__})
    check_shape(shape)
    with progress("rounds", shape.seasons * shape.rounds) as step:
        report = simulate(shape, step)
    result_writer(arguments.json)(report, describe(report))
    if sentence := failed_sentence(report.checks):
        raise Finding(sentence)
    return SUCCESS


def describe(report: Report) -> str:
    """Return the report as text."""
    shape = report.shape
    rows = [("CHECK", "COUNTED", "EXPECTED", "")]
    rows += [
        (check.name, str(check.counted), str(check.wanted), "ok" if check.is_good else "FAILED")
        for check in report.checks
    ]
    decisions = "; ".join(f"{count} {reason}" for reason, count in report.decisions.items())
    league = f"{shape.divisions} divisions, {shape.people} people, {shape.seasons} seasons of {shape.rounds} rounds"
    work = f"{report.actions:,} actions of people, {report.requests:,} requests, {report.jobs:,} jobs of the service"
    figures = [
        f"league   {league}, seed {shape.seed}; {report.days} days",
        f"people   {report.left} left, {report.substitutes} seats of bots for absent players",
        f"tables   {report.tables}: {decisions}",
        f"rulings  {report.rulings} about {report.disputes} disputes",
        f"played   {work}, in {report.seconds:,.0f} s",
    ]
    return table(rows, right=frozenset({1, 2})) + "\n\n" + "\n".join(figures)
