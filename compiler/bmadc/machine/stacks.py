"""What the tools of a project need: commands, package hosts and the manifests that go with them.

Frontmatter cannot follow a setting of the target at run time, so the stacks are chosen when a pack is built.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Stack:
    """One kind of project."""

    id: str
    commands: tuple[str, ...]
    network: tuple[str, ...]
    """Names of package ecosystems, as gh-aw knows them."""
    manifests: tuple[str, ...]
    """Files that name dependencies: gh-aw protects them unless the project says that it has this stack."""


STACKS: dict[str, Stack] = {
    stack.id: stack
    for stack in (
        Stack(
            "node",
            ("node", "npm", "npx", "yarn", "pnpm", "bun", "tsc", "jest", "vitest"),
            ("node",),
            (
                "package.json",
                "package-lock.json",
                "npm-shrinkwrap.json",
                "yarn.lock",
                "pnpm-lock.yaml",
                "bun.lockb",
                "bunfig.toml",
            ),
        ),
        Stack("deno", ("deno",), ("deno",), ("deno.json", "deno.jsonc", "deno.lock")),
        Stack(
            "python",
            ("python", "python3", "pip", "pip3", "uv", "poetry", "pytest", "tox", "ruff", "mypy"),
            ("python",),
            (
                "pyproject.toml",
                "requirements.txt",
                "setup.py",
                "setup.cfg",
                "poetry.lock",
                "uv.lock",
                "Pipfile",
                "Pipfile.lock",
            ),
        ),
        Stack("go", ("go", "gofmt", "golangci-lint"), ("go",), ("go.mod", "go.sum")),
        Stack("rust", ("cargo", "rustc", "rustfmt"), ("rust",), ("Cargo.toml", "Cargo.lock")),
        Stack(
            "java",
            ("java", "javac", "mvn", "./mvnw", "gradle", "./gradlew"),
            ("java",),
            (
                "pom.xml",
                "build.gradle",
                "build.gradle.kts",
                "settings.gradle",
                "settings.gradle.kts",
                "gradle.properties",
            ),
        ),
        Stack(
            "dotnet",
            ("dotnet",),
            ("dotnet",),
            ("Directory.Packages.props", "packages.lock.json", "global.json", "NuGet.Config"),
        ),
        Stack("ruby", ("ruby", "bundle", "rake", "rspec"), ("ruby",), ("Gemfile", "Gemfile.lock")),
        Stack("php", ("php", "composer", "phpunit"), ("php",), ("composer.json", "composer.lock")),
        Stack("haskell", ("stack", "cabal", "ghc"), ("haskell",), ("stack.yaml", "stack.yaml.lock")),
        Stack("elixir", ("elixir", "mix"), ("elixir",), ("mix.exs", "mix.lock")),
        Stack("swift", ("swift",), ("swift",), ("Package.swift", "Package.resolved")),
        Stack("dart", ("dart", "flutter"), ("dart",), ("pubspec.yaml", "pubspec.lock")),
    )
}

READING = (
    "cat",
    "cp",
    "date",
    "diff",
    "find",
    "git",
    "grep",
    "head",
    "ls",
    "mkdir",
    "mv",
    "sed",
    "sort",
    "tail",
    "wc",
)
"""Commands that every workflow may use: they look at the workspace, or move files within it."""

SCRIPTS = ("python3",)
"""What the helper scripts of a workflow are run with."""

BUILDING = ("bash", "make", "sh")
"""Commands by which a project of any stack is built."""

WEB = tuple(f"*.{domain}" for domain in ("com", "dev", "edu", "eu", "gov", "info", "io", "net", "org"))
"""What research may fetch from, unless the project names hosts of its own."""
