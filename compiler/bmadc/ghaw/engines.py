"""The engines of the pinned gh-aw release, as far as an emitter has to tell them apart."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Engine:
    """One engine: what it needs, where it finds inline skills, and which tools it really has."""

    id: str
    secrets: tuple[str, ...]
    """The secrets that a repository must have; of alternatives the first."""
    skills: str
    """Where gh-aw writes the inline skill `{name}`, from the root of the workspace."""
    lists_commands: bool = True
    """Whether it can be told which shell commands to run; gh-aw refuses a list where it would be ignored."""
    searches: bool = True
    """Whether it can search the web without a server of its own."""
    others: tuple[str, ...] = ()
    """Secrets that do as well as the first one of `secrets`."""
    detection: str = ""
    """The engine that looks for threats in its outputs, where it cannot do so itself."""

    @property
    def skill_folder(self) -> str:
        """The folder that holds all inline skills."""
        return self.skills.split("{name}")[0]


CLAUDE = Engine("claude", ("ANTHROPIC_API_KEY",), ".claude/skills/{name}.md")
COPILOT = Engine("copilot", ("COPILOT_GITHUB_TOKEN",), ".github/skills/{name}/SKILL.md", searches=False)
CODEX = Engine(
    "codex",
    ("OPENAI_API_KEY",),
    ".codex/skills/{name}.md",
    lists_commands=False,
    others=("CODEX_API_KEY",),
)
GEMINI = Engine(
    "gemini",
    ("GEMINI_API_KEY", "COPILOT_GITHUB_TOKEN"),
    ".gemini/skills/{name}.md",
    searches=False,
    detection="copilot",
)

ENGINES: dict[str, Engine] = {engine.id: engine for engine in (CLAUDE, COPILOT, CODEX, GEMINI)}
