"""Real trees, read once per test process: many tests look at the same packs."""

from functools import cache

from bmadc.frontend.pack import read_pack
from bmadc.ir.model import Pack
from support.releases import installed_root, module_root, source_root


@cache
def source_pack(version: str) -> Pack:
    """Return the pack of a release in source form."""
    return read_pack(source_root(version))


@cache
def installed_pack(name: str) -> Pack:
    """Return the pack of an installation."""
    return read_pack(installed_root(name))


@cache
def module_pack(name: str) -> Pack:
    """Return the pack of a module's own repository."""
    return read_pack(module_root(name))
