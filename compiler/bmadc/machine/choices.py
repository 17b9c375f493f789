"""What a project chooses about its pack, as far as it shows in the workflows."""

from __future__ import annotations

from dataclasses import dataclass, field

from bmadc.ghaw.engines import CLAUDE, Engine
from bmadc.machine.places import Places
from bmadc.machine.stacks import STACKS, WEB, Stack
from bmadc.machine.wiring import BUS, Wiring


@dataclass(frozen=True, slots=True)
class Override:
    """What a project changes about one workflow."""

    disabled: bool = False
    timeout_minutes: int | None = None
    max_turns: int | None = None
    model: str = ""
    bash: tuple[str, ...] = ()
    network: tuple[str, ...] = ()
    guardrail: str = ""


NO_OVERRIDE = Override()


@dataclass(frozen=True, slots=True)
class Choices:
    """What holds for all workflows of a pack."""

    engine: Engine = CLAUDE
    wiring: Wiring = BUS
    stacks: tuple[str, ...] = ()
    web: tuple[str, ...] = WEB
    runs_on: str = ""
    runs_on_slim: str = ""
    host: str = ""
    ci: tuple[str, ...] = ()
    """Workflow files of the project that check what the pack pushes."""
    places: Places = field(default_factory=Places)

    @property
    def built_with(self) -> tuple[Stack, ...]:
        """The stacks of the project; a pack that was told none has to serve each of them."""
        return tuple(STACKS[one] for one in self.stacks) or tuple(STACKS.values())
