"""Loud skips: what could not be proven is listed at the end, and under CI=true it is a failure.

The ten slowest tests are listed too, so that the suite stays fast on purpose.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from bmadc.cli import collect_rarely
from support import releases

# A worker keeps every release that it has read: to look through all of it again and again costs minutes.
collect_rarely()

ROOT = Path(__file__).resolve().parents[1]


def _gh_aw_source() -> bool:
    if shutil.which("go") is None:
        return False
    found = subprocess.run(
        ["go", "list", "-m", "-f", "{{.Dir}}", "github.com/github/gh-aw"],
        cwd=ROOT / "tools" / "gh-aw",
        capture_output=True,
        text=True,
        check=False,
    )
    return found.returncode == 0 and Path(found.stdout.strip() or "absent").is_dir()


def _npm_answers() -> bool:
    # On a laptop no test may go to the network, and whether npm has something new is not its concern.
    if os.environ.get("CI") != "true" or shutil.which("npm") is None:
        return False
    asked = subprocess.run(["npm", "view", "bmad-method", "name"], capture_output=True, check=False)
    return asked.returncode == 0


def _beside_python(name: str) -> bool:
    return (Path(sys.executable).parent / name).exists()


COMPONENTS: dict[str, tuple[Callable[[], bool], str]] = {
    "gh-aw": (lambda: (ROOT / ".tools" / "bin" / "gh-aw").exists(), "run `make tools` (needs go)"),
    "gh-aw-source": (_gh_aw_source, "run `make tools` (needs go)"),
    "node-oracles": (
        lambda: (
            shutil.which("node") is not None
            and (ROOT / "tools" / "oracles" / "node_modules" / "@actions").is_dir()
        ),
        "run `make tools` (needs node and npm)",
    ),
    "bmad-releases": (releases.fetched, "run `make tools` (needs npm)"),
    "bmad-installed": (releases.installed, "run `make tools` (needs npm)"),
    "npm": (_npm_answers, "set CI=true (needs npm and the network)"),
    "jq": (
        lambda: shutil.which("jq") is not None and shutil.which("bash") is not None,
        "install bash and jq",
    ),
    "shellcheck": (lambda: _beside_python("shellcheck"), "pip install -e '.[test]'"),
    "zizmor": (lambda: _beside_python("zizmor"), "pip install -e '.[test]'"),
}


@cache
def _present(component: str) -> bool:
    return COMPONENTS[component][0]()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of one release in one worker, so that it is read, lowered and judged once."""
    for item in items:
        called = getattr(item, "callspec", None)
        release = called.params.get("release") if called else None
        if isinstance(release, str) and item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(f"pack {release}"))


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("needs"):
        component = mark.args[0]
        if component not in COMPONENTS:
            pytest.fail(f"no component is named {component!r}; tests/conftest.py lists them", pytrace=False)
        if not _present(component):
            said = f"not proven: {component} is missing; {COMPONENTS[component][1]}"
            if os.environ.get("CI") == "true":
                pytest.fail(said, pytrace=False)
            pytest.skip(said)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    if skipped:
        terminalreporter.section("NOT PROVEN", sep="=", yellow=True, bold=True)
        for report in sorted(skipped, key=lambda report: str(report.nodeid)):
            reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
            terminalreporter.line(f"{report.nodeid}: {reason.removeprefix('Skipped: ')}")
