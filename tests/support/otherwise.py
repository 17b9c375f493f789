"""A build on another machine: run as a program with folders, and told what is different there.

Prints the hash of every file of each pack, as JSON. `OTHERWISE` lists the differences: `reversed`
and `shuffled` for the order in which folders list their files, `folded` for a file system that takes names in
any case for the same.
"""

from __future__ import annotations

import builtins
import io
import json
import os
import random
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any


class _Entries:
    """What `os.scandir` gives, in another order."""

    def __init__(self, entries: list[os.DirEntry[str]]) -> None:
        self._entries = iter(entries)

    def __enter__(self) -> _Entries:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def __iter__(self) -> Iterator[os.DirEntry[str]]:
        return self._entries

    def __next__(self) -> os.DirEntry[str]:
        return next(self._entries)

    def close(self) -> None:
        """Close what was read to its end already."""


def mixed(order: Callable[[list[Any]], list[Any]]) -> None:
    """Make every folder list its files in another order."""
    scandir, listdir = os.scandir, os.listdir

    def scanned(path: Any = ".") -> _Entries:
        with scandir(path) as entries:
            return _Entries(order(sorted(entries, key=lambda entry: str(entry.name))))

    os.scandir = scanned  # type: ignore[assignment]
    os.listdir = lambda path=".": order(sorted(listdir(path)))


def folded() -> None:
    """Make names in any case lead to the file that is there, as on Windows and macOS."""
    listdir, lstat = os.listdir, os.lstat

    def there(path: Any) -> Any:
        if not isinstance(path, (str, os.PathLike)):
            return path
        whole = os.path.normpath(os.path.join(os.getcwd(), os.fspath(path)))  # noqa: PTH109, PTH118
        found = "/"
        for part in whole.split("/")[1:]:
            try:
                lstat(f"{found}/{part}")
            except OSError:
                try:
                    names = [name for name in listdir(found) if name.casefold() == part.casefold()]
                except OSError:
                    return path
                if not names:
                    return path
                part = names[0]
            found = f"{found.rstrip('/')}/{part}"
        return found

    def wrapped(call: Callable[..., Any]) -> Callable[..., Any]:
        def inner(path: Any, *rest: Any, **more: Any) -> Any:
            return call(there(path), *rest, **more)

        return inner

    for name in ("stat", "lstat", "open", "scandir", "listdir", "readlink", "access"):
        setattr(os, name, wrapped(getattr(os, name)))
    builtins.open = io.open = wrapped(io.open)


def main() -> None:
    """Build the trees in some folders and print what came of each."""
    wanted = os.environ.get("OTHERWISE", "").split()
    if "reversed" in wanted:
        mixed(lambda entries: entries[::-1])
    if "shuffled" in wanted:
        mixed(lambda entries: random.Random(7).sample(entries, len(entries)))
    if "folded" in wanted:
        folded()
    from bmadc.compile import compile_pack
    from bmadc.project import read_project

    for name in sys.argv[1:]:
        folder = Path(name)
        project, problems = read_project(folder)
        assert not problems
        built = compile_pack(folder, project)
        files = {**built.files, "bmadc.lock.json": built.manifest.text()}
        said = [f"{one.code} {one.message} {one.span}" for one in built.diagnostics]
        print(json.dumps([{path: sha256(text.encode()).hexdigest() for path, text in files.items()}, said]))


if __name__ == "__main__":
    main()
