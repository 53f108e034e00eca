"""Update the catalogues and list missing translations: `python -m ops.dev.catalogues`; `--check` only lists."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from api.http.languages import AREAS
from ops.dev.catalogues.files import faults, update
from ops.dev.catalogues.scan import sentences


def main(arguments: Sequence[str] | None = None) -> int:
    """Update the catalogues, or only check them with `--check`, and print their faults; return 1 if there are any.

    `--area` limits both to some areas, `--prune` drops unused translations.
    """
    parser = argparse.ArgumentParser(prog="python -m ops.dev.catalogues", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument("--prune", action="store_true", help="remove unused translations")
    parser.add_argument("--area", choices=AREAS, action="append", help="only this area; may be repeated")
    args = parser.parse_args(arguments)
    areas = args.area or AREAS
    if not args.check:
        update(areas=areas, prune=args.prune)
    area_faults = [fault for fault in faults(sentences()) if fault.split("/")[1].split(".po")[0] in areas]
    sys.stdout.writelines(f"{fault}\n" for fault in area_faults)
    sys.stdout.write(f"{len(area_faults)} faults\n")
    return 1 if area_faults else 0


if __name__ == "__main__":
    sys.exit(main())
