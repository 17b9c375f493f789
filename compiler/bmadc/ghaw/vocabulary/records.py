"""The shapes of the vocabulary's tables."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SafeOutput:
    """A key of ``safe-outputs``.

    ``default_max`` is the number the frontmatter schema states; ``collected_max`` is what the collector
    applies when the compiled lock carries none. They differ for some outputs and the lock decides which one
    holds, so an emitter sets ``max`` itself. -1 stands for no limit; a setting that is no output has neither.
    """

    options: tuple[str, ...]
    default_max: int | None = None
    collected_max: int | None = None


@dataclass(frozen=True, slots=True)
class Toolset:
    """A group of GitHub tools and the token permissions its tools read and write with."""

    reads: tuple[str, ...]
    writes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Legal:
    """What an expression at one place of a workflow may use: contexts, and functions besides the usual."""

    contexts: tuple[str, ...]
    functions: tuple[str, ...]
