"""The real releases of BMAD, as tests/releases.toml lists them and `make tools` fetches them.

A test that calls one of the functions below is marked `needs("bmad-releases")` or `needs("bmad-installed")`.
"""

import shutil
import tarfile
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
LIST = ROOT / "tests" / "releases.toml"
FETCHED = ROOT / ".tools" / "bmad"


@dataclass(frozen=True, slots=True)
class Archive:
    """A package on npm and the name that `npm pack` gives its tarball."""

    package: str
    version: str
    tarball: str
    integrity: str

    @property
    def path(self) -> Path:
        """Where the tarball is when it was fetched."""
        return FETCHED / self.tarball


@dataclass(frozen=True, slots=True)
class Release:
    """A release that bmadc reads: its source package, and its installs with the options of each."""

    version: str
    archive: Archive
    dialects: tuple[str, ...]
    forms: tuple[str, ...]
    dialogue: bool
    installs: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class ModulePackage:
    """A module that has a package of its own."""

    name: str
    code: str
    archive: Archive


def _archive(row: dict[str, Any], package: str) -> Archive:
    return Archive(package, row["version"], row["tarball"], row["integrity"])


def _release(row: dict[str, Any]) -> Release:
    forms = tuple(row["forms"])
    version = row["version"]
    variants = tuple((name, tuple(options)) for name, options in row.get("variants", {}).items())
    return Release(
        version=version,
        archive=_archive(row, "bmad-method"),
        dialects=tuple(row["dialects"]),
        forms=forms,
        dialogue=row.get("installer") == "dialogue",
        installs=((version, ()), *variants) if "installed" in forms else (),
    )


_LISTED = tomllib.loads(LIST.read_text(encoding="utf-8"))

RELEASES: tuple[Release, ...] = tuple(map(_release, _LISTED["release"]))
UNSUPPORTED: tuple[Archive, ...] = tuple(_archive(row, "bmad-method") for row in _LISTED["unsupported"])
MODULES: tuple[ModulePackage, ...] = tuple(
    ModulePackage(row["name"], row["code"], _archive(row, row["name"])) for row in _LISTED["module"]
)
READ: tuple[Archive, ...] = (
    *(release.archive for release in RELEASES),
    *(module.archive for module in MODULES),
)
ARCHIVES: tuple[Archive, ...] = (*READ, *UNSUPPORTED)

# For parametrize: every release in source form, and every install by the name of its folder.
SOURCE: tuple[str, ...] = tuple(release.version for release in RELEASES if "source" in release.forms)
INSTALLED: tuple[str, ...] = tuple(name for release in RELEASES for name, _ in release.installs)


def fetched() -> bool:
    """Whether every tarball of the list is there."""
    return all(archive.path.is_file() for archive in ARCHIVES)


def installed() -> bool:
    """Whether every install of the list is there."""
    return all((installed_root(name) / "_bmad" / "_config" / "manifest.yaml").is_file() for name in INSTALLED)


def source_root(version: str) -> Path:
    """Return the unpacked npm package of a release, supported or not; its folder holds package.json."""
    archives = (*(release.archive for release in RELEASES), *UNSUPPORTED)
    return _unpacked(next(archive for archive in archives if archive.version == version), version)


def module_root(name: str) -> Path:
    """Return the unpacked npm package of a module."""
    archive = next(module.archive for module in MODULES if module.name == name)
    return _unpacked(archive, f"{name}-{archive.version}")


def installed_root(name: str) -> Path:
    """Return the folder into which a release was installed; it holds `_bmad`."""
    return FETCHED / "installed" / name


def _unpacked(archive: Archive, name: str) -> Path:
    place = FETCHED / "unpacked" / name
    if not place.is_dir():
        place.parent.mkdir(parents=True, exist_ok=True)
        # Several test processes may come here at once: each unpacks for itself, and one rename wins.
        own = Path(tempfile.mkdtemp(dir=place.parent, prefix=".unpacking-"))
        with tarfile.open(archive.path) as opened:
            opened.extractall(own, filter="data")
        try:
            own.rename(place)
        except OSError:
            shutil.rmtree(own)
            if not place.is_dir():
                raise
    return place / "package"
