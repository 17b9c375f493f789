"""Where BMAD's installer puts the skills for each coding tool: tool id -> folder, and since which release.

Facts of the installers' own tables, 6.1.0 (the first that writes skills) to 6.12.0; a test compares them.
Between 6.3 and 6.5 many tools moved to the folder that they share.
"""

from __future__ import annotations

SHARED = ".agents/skills"

# Tools that had one folder from the start; the value is that folder.
_STEADY: dict[str, str] = {
    "adal": ".adal/skills",
    "amp": SHARED,
    "antigravity": ".agent/skills",
    "antigravity-cli": SHARED,
    "bob": ".bob/skills",
    "claude-code": ".claude/skills",
    "cline": ".cline/skills",
    "codebuddy": ".codebuddy/skills",
    "codewhale": ".codewhale/skills",
    "codex": SHARED,
    "command-code": SHARED,
    "cortex": ".cortex/skills",
    "droid": ".factory/skills",
    "firebender": ".firebender/skills",
    "goose": SHARED,
    "grok": SHARED,
    "hermes": SHARED,
    "iflow": ".iflow/skills",
    "kimi-code": SHARED,
    "kiro": ".kiro/skills",
    "kode": ".kode/skills",
    "mistral-vibe": SHARED,
    "mux": SHARED,
    "neovate": ".neovate/skills",
    "ona": ".ona/skills",
    "openclaw": SHARED,
    "openhands": SHARED,
    "pochi": SHARED,
    "polytoken": SHARED,
    "qoder": ".qoder/skills",
    "qwen": ".qwen/skills",
    "replit": SHARED,
    "trae": ".trae/skills",
    "warp": SHARED,
    "zcode": ".zcode/skills",
    "zencoder": ".zencoder/skills",
}

# Tools that moved: the folder up to 6.3, and the one after it.
_MOVED: dict[str, tuple[str, str]] = {
    "auggie": (".augment/skills", SHARED),
    "crush": (".crush/skills", SHARED),
    "cursor": (".cursor/skills", SHARED),
    "gemini": (".gemini/skills", SHARED),
    "github-copilot": (".github/skills", SHARED),
    "junie": (SHARED, ".junie/skills"),
    "kilo": (".kilocode/skills", SHARED),
    "opencode": (".opencode/skills", SHARED),
    "pi": (".pi/skills", SHARED),
    "roo": (".roo/skills", SHARED),
    "rovo-dev": (".rovodev/skills", SHARED),
    "windsurf": (".windsurf/skills", SHARED),
}

_MOVED_AFTER = (6, 3)

TOOLS: tuple[str, ...] = tuple(sorted((*_STEADY, *_MOVED)))


def skills_folders_of(tool: str, release: tuple[int, ...] = ()) -> tuple[str, ...]:
    """Return the folders that may hold a tool's skills, that of the release first; none for unknown ids.

    Without a release the newest folder comes first. The other one stays in the answer, because a project
    that was upgraded may still have only that.
    """
    if tool in _STEADY:
        return (_STEADY[tool],)
    if tool in _MOVED:
        old, new = _MOVED[tool]
        return (old, new) if release and release[:2] <= _MOVED_AFTER else (new, old)
    return ()
