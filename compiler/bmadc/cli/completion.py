"""`bmadc completion`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish")


@click.command(
    "completion",
    epilog="""\b
Examples:
  bmadc completion bash > ~/.local/share/bash-completion/completions/bmadc
  bmadc completion zsh > "${fpath[1]}/_bmadc"
  bmadc completion fish > ~/.config/fish/completions/bmadc.fish
""",
)
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script of a shell.

    Put it where the shell looks for completions; then TAB completes commands, options and folders.
    """
    found = get_completion_class(shell)
    assert found is not None
    complete = found(ctx.find_root().command, {}, "bmadc", "_BMADC_COMPLETE")
    # Not complete.source(): for bash it would start a bash, only to look at its version.
    click.echo(complete.source_template % complete.source_vars())
