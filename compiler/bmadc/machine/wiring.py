"""How one workflow wakes the next, given the token that it really has.

A write made with the default token starts nothing except a dispatch. So waking is a setting, and all three
settings share their triggers: people's events wake in every one of them.
"""

import re
from dataclasses import dataclass
from enum import Enum


class Waking(Enum):
    """What a job without a model does to wake the consumer of a state."""

    BUS = "bus"
    """Sends a dispatch with the default token. Needs no secret."""
    CREDENTIAL = "credential"
    """Sets the state label with a credential, whose label events do start runs."""
    MANUAL = "manual"
    """Tells a person in a comment which label to set."""


class WiringError(ValueError):
    """A wiring that cannot be built, said for the person who wrote the setting."""


_SECRET = re.compile(r"[A-Z_][A-Z0-9_]*")


@dataclass(frozen=True, slots=True)
class Wiring:
    """One choice of waking, with the credential that it needs and no more."""

    waking: Waking
    secret: str | None = None
    """The secret that holds a personal access token; only with `credential`."""

    def __post_init__(self) -> None:
        if self.waking is not Waking.CREDENTIAL:
            if self.secret is not None:
                raise WiringError(
                    f"wiring {self.waking.value} takes no credential, but one is named. A credential "
                    "that nothing uses is a secret at risk. Remove it, or choose wiring credential."
                )
        elif self.secret is None:
            raise WiringError(
                "wiring credential needs the name of a secret that holds a personal access token. "
                "Without one no label event starts the next workflow. Name it, or choose wiring bus."
            )
        elif not _SECRET.fullmatch(self.secret) or self.secret.startswith("GITHUB_"):
            raise WiringError(
                f"{self.secret!r} is no name of a secret. It stands inside an expression, so nothing "
                "else may be in it. Use capital letters, digits and underscores, not starting with GITHUB_."
            )


BUS = Wiring(Waking.BUS)
CREDENTIAL = Wiring(Waking.CREDENTIAL, secret="BMAD_TOKEN")
MANUAL = Wiring(Waking.MANUAL)
WIRINGS: tuple[Wiring, ...] = (BUS, CREDENTIAL, MANUAL)
