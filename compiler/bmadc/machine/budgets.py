"""Every limit of the protocol, in one table, with the one reading of "at most"."""

from __future__ import annotations

from dataclasses import dataclass


def allowed(n: int, limit: int) -> bool:
    """Whether the n-th attempt is within a limit: N attempts are allowed, N + 1 is refused."""
    return n <= limit


@dataclass(frozen=True, slots=True)
class Budgets:
    """The numbers that bound a run and the loop of runs between two human acts."""

    cycles: int = 3
    """Attempts at one story: the first one, and one after each review that asked for changes."""
    api_tries: int = 3
    """Attempts at one call of the GitHub API."""
    api_pause_seconds: int = 2
    """Pause before the second attempt; it grows by itself with each further one."""
    silence_minutes: int = 30
    """Age of a state label without a run behind it before the sweeper looks at it."""
    sweep_minutes: int = 30
    """Distance between two sweeps."""
    check_minutes: int = 45
    """How long a review waits for the project's own checks."""
    check_start_seconds: int = 180
    """How long a check may take to appear before the review goes on without it."""
    check_pause_seconds: int = 20
    """Distance between two looks at them."""
    handing_over: int = 6
    """The part of its time, as one of so many, that a run keeps for handing over what it has."""
    config_bytes: int = 16_384
    """Largest `.bmad/config.yaml` that is read."""
    guard_bytes: int = 6_144
    """Largest guard script."""
    prompt_bytes: int = 98_304
    """Largest body of a workflow: it travels as one command-line argument."""
    prompt_warning_bytes: int = 65_536
    """Size of a body from which its author is told."""


BUDGETS = Budgets()


@dataclass(frozen=True, slots=True)
class Time:
    """How long an agent may work: it is cut off at whichever of the two ends first."""

    minutes: int
    turns: int

    def last(self) -> Time:
        """Return what of it is kept for handing over what there is, rounded up."""
        share = BUDGETS.handing_over
        return Time(-(-self.minutes // share), -(-self.turns // share))

    def __str__(self) -> str:
        return f"{self.minutes} minutes or {self.turns} turns"
