"""Measures how much of BMAD's text is in emitted workflows, by a matcher that knows nothing of the compiler.

    python scripts/measure_fidelity.py DIR [--release 6.0.4] [--fenced] [--misses ID]
    python scripts/measure_fidelity.py

With a folder of bodies, DIR/<workflow-id>.md: a line per workflow with its units, those that are neither
dialogue nor bookkeeping, how many of these are found at 70 and at 85, and the same in the body of an
unrelated workflow. `--misses` lists instead what one workflow lacks, with the ratio that it reaches; that is
BMAD's text, so nothing of it is to be committed. Without a folder: what is taken out, per release and family.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from support.fuzzy import (
    FAMILIES,
    Measure,
    Source,
    core,
    family,
    measure,
    misses,
    source_units,
    sources,
    unrelated,
)
from support.releases import SOURCE


def main() -> int:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("dir", type=Path, nargs="?", metavar="DIR")
    arguments.add_argument("--release", default="6.0.4", choices=SOURCE)
    arguments.add_argument("--fenced", action="store_true", help="count the text of fenced blocks too")
    arguments.add_argument("--misses", metavar="ID", help="list what this workflow lacks")
    asked = arguments.parse_args()
    if asked.dir is None:
        census(asked.fenced)
        return 0
    known = sources(asked.release)
    paths = {name: asked.dir / f"{name}.md" for name in known}
    bodies = {name: path.read_text(encoding="utf-8") for name, path in paths.items() if path.is_file()}
    if asked.misses is not None:
        if asked.misses not in bodies:
            arguments.error(f"no body of {asked.misses!r}; there are: {', '.join(bodies) or 'none'}")
        found = core(source_units(known[asked.misses].paths, fenced=asked.fenced))
        for score, unit in misses(found, bodies[asked.misses], fenced=asked.fenced):
            print(f"{score:5.1f}  {unit}")
        return 0
    table(known, bodies, asked.fenced)
    return 0 if bodies else 1


def census(fenced: bool) -> None:
    """Print per release how many units there are and which share each family takes out."""
    print(f"{'release':14}{'units':>8}{'core':>8}{'out %':>8}" + "".join(f"{name:>14}" for name in FAMILIES))
    for release in SOURCE:
        found = [
            unit for source in sources(release).values() for unit in source_units(source.paths, fenced=fenced)
        ]
        families = Counter(family(unit) for unit in found)
        shares = "".join(f"{_percent(families[name], len(found)):14.1f}" for name in FAMILIES)
        out = _percent(len(found) - families[""], len(found))
        print(f"{release:14}{len(found):8}{families['']:8}{out:8.1f}{shares}")


def table(known: dict[str, Source], bodies: dict[str, str], fenced: bool) -> None:
    """Print the line of every workflow that has a body, their sum, and who has none."""
    stepped = {name: source.stepped for name, source in known.items()}
    found_at = f"{'% 70':>7}{'% 85':>7}"
    print(f"{'workflow':36}{'units':>7}{'core':>7}{found_at}   {'unrelated':36}{found_at}")
    own, other, total = Measure(0, 0, 0), Measure(0, 0, 0), 0
    for name, body in bodies.items():
        found = source_units(known[name].paths, fenced=fenced)
        mine = measure(core(found), body, fenced=fenced)
        line = f"{name:36}{len(found):7}{_shown(mine)}"
        own, total = own + mine, total + len(found)
        if far := unrelated(name, stepped, bodies):
            theirs = measure(core(found), bodies[far], fenced=fenced)
            other += theirs
            line += f"   {far:36}{theirs.percent70:7.1f}{theirs.percent85:7.1f}"
        print(line)
    print(f"{'all':36}{total:7}{_shown(own)}   {'':36}{other.percent70:7.1f}{other.percent85:7.1f}")
    if absent := [name for name in known if name not in bodies]:
        print(f"without a body: {', '.join(absent)}")


def _shown(one: Measure) -> str:
    return f"{one.units:7}{one.percent70:7.1f}{one.percent85:7.1f}"


def _percent(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 0.0


if __name__ == "__main__":
    sys.exit(main())
