"""`aw.yml`: what `gh aw add-wizard` installs, and what it sets up in the target repository."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bmadc.backend.yamltext import Value, dump
from bmadc.ghaw.vocabulary.pin import RELEASE
from bmadc.machine.choices import Choices
from bmadc.machine.labels import Label

FILE = "aw.yml"
FOLDER = "workflows"
"""Where the workflows of a pack lie, from its root: a folder that GitHub does not run."""
_INSTALLED = ".github/workflows"
FRONT_PAGE = "README.md"
"""gh-aw takes no package without one at its root; a repository that has its own keeps it."""
_FRONT_PAGE = """\
<!-- {header} -->
# BMAD workflows

Workflows that plan, build and review by the method of {method}, asked for by labels on issues.

- [How to install and use them]({folder}/README.md)
- [What they may do](PERMISSIONS.md)
"""


def package(
    header: str,
    method: str,
    documents: Iterable[str],
    plain: Iterable[str],
    labels: Sequence[Label],
    choices: Choices,
) -> str:
    """Return the package manifest: what is copied where, the secrets it asks for, the labels it makes."""
    includes: list[Value] = [f"{FOLDER}/{name}" for name in sorted(documents)]
    includes += [
        {"source": f"{FOLDER}/{name}", "destination": f"{_INSTALLED}/{name}", "kind": "action-workflow"}
        for name in sorted(plain)
    ]
    manifest: dict[str, Value] = {
        "manifest-version": "1",
        "min-version": RELEASE,
        "name": "BMAD workflows",
        "description": f"Plans, builds and reviews by the method of {method}, asked for by labels on issues",
        "includes": includes,
        "config": [*_secrets(choices), *_labels(labels)],
    }
    return f"# {header}\n{dump(manifest)}"


def front_page(header: str, method: str) -> str:
    """Return the page that stands at the root of a package and leads to the others."""
    return _FRONT_PAGE.format(header=header, method=method, folder=FOLDER)


def _secrets(choices: Choices) -> Iterable[dict[str, Value]]:
    for name in choices.engine.secrets:
        yield {"type": "repo-secret", "name": name, "prompt": f"Key for the engine {choices.engine.id}"}
    if choices.wiring.secret:
        prompt = "Personal access token by whose label events workflows wake each other"
        yield {"type": "repo-secret", "name": choices.wiring.secret, "prompt": prompt}


def _labels(labels: Sequence[Label]) -> Iterable[dict[str, Value]]:
    for label in labels:
        yield {
            "type": "repo-label",
            "name": label.name,
            "description": label.meaning,
            "color": label.colour,
        }
