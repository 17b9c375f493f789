"""bmadc: a build-time compiler from the BMAD Method to GitHub Agentic Workflows."""

__version__ = "0.1.0"
