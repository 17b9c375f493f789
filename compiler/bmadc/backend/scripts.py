"""The shell that the pack runs: plain files, put together, never templated.

A script names the functions that it uses; each function is a file of its own and may use others. What a
script gets from outside comes by environment, so one script is the same bytes wherever it stands.
"""

from functools import cache
from pathlib import Path

USES = "# uses: "


def template_folder() -> Path:
    """The templates folder: inside the wheel, or beside the source tree in a checkout."""
    package = Path(__file__).parents[1]
    packaged = package / "templates"
    return packaged if packaged.is_dir() else package.parents[1] / "templates"


@cache
def template(*parts: str) -> str:
    """The text of one template file."""
    return template_folder().joinpath(*parts).read_text(encoding="utf-8")


@cache
def _read(*parts: str) -> tuple[tuple[str, ...], str]:
    text = template("scripts", *parts)
    if not text.startswith(USES):
        return (), text
    first, rest = text.split("\n", 1)
    return tuple(first.removeprefix(USES).split()), rest


@cache
def script(name: str) -> str:
    """One whole script: the functions that it uses, each once, users after the used, then its own lines."""
    order: list[str] = []

    def need(function: str, path: tuple[str, ...]) -> None:
        if function in path:
            raise ValueError(f"functions use each other in a circle: {' -> '.join((*path, function))}")
        if function not in order:
            for used in _read("lib", f"{function}.sh")[0]:
                need(used, (*path, function))
            order.append(function)

    uses, own = _read(f"{name}.sh")
    for function in uses:
        need(function, ())
    return "\n".join([*(_read("lib", f"{f}.sh")[1] for f in order), own])
