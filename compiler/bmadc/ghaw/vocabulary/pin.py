"""The one gh-aw release this compiler writes for, and how it is called."""

from typing import Final

RELEASE: Final = "v0.89.10"
MODULE: Final = "github.com/github/gh-aw"

# Not `go install`: the go.mod of gh-aw has a replace directive, and Go refuses such a module by its name.
INSTALL: Final = f"gh extension install github/gh-aw --pin {RELEASE}"
"""The command that gets the pinned release; what it installs is found without further ado."""

# A compiler built with `go install` does not know its own release and would point locks at a local action;
# the mode and the tag together make it write the released one. Without --approve the first compile of every
# file warns about the secrets of its engine. The update check would need the network.
COMPILE_FLAGS: Final[tuple[str, ...]] = (
    "--strict",
    "--approve",
    "--no-check-update",
    "--action-mode",
    "action",
    "--action-tag",
    RELEASE,
    "--json",
)
