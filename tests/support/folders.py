"""What is in a folder, to be compared before and after."""

from pathlib import Path


def snapshot(folder: Path) -> dict[str, bytes | str]:
    """Return every file below a folder with its bytes, every link with its target, every empty folder."""
    found: dict[str, bytes | str] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if name == ".git" or name.startswith(".git/"):
            continue
        if path.is_symlink():
            found[name] = f"link to {path.readlink()}"
        elif path.is_dir():
            if not any(path.iterdir()):
                found[name] = "empty folder"
        else:
            found[name] = path.read_bytes()
    return found


def repository(folder: Path) -> Path:
    """Return a folder that is an empty git repository, as far as bmadc looks."""
    (folder / ".git").mkdir(parents=True)
    return folder
