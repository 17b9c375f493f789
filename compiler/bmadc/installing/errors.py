"""Why a project cannot be set up, or an answer not be taken."""

from __future__ import annotations

from bmadc.diagnostics import Diagnostic


class InstallError(Exception):
    """Setting up stops here, and nothing was changed; the diagnostics say why and what to do."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__(diagnostics[0].message)
        self.diagnostics = diagnostics

    @property
    def exit_code(self) -> int:
        """1 for what is wrong with the project's own files, 2 for what cannot be fetched, read or written."""
        own = all(one.code.startswith("BMC4") or one.code == "BMC508" for one in self.diagnostics)
        return 1 if own else 2


class AnswerError(ValueError):
    """An answer that cannot be used: what is wrong with it, why it matters, what would do."""

    def __init__(self, what: str, why: str, do: str) -> None:
        super().__init__(f"{what}. {why} {do}")
