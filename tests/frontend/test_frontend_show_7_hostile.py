"""What it must show 7: whatever the files hold, reading ends, says what is wrong and stays in its folder.

Each batch of cases has a process of its own with a CPU limit per case, a memory limit, and a watch over every
file, folder, connection and process that is opened (support.audit).
"""

import os
import random
from collections.abc import Iterable
from pathlib import Path

import pytest

from support.audit import Case, Outcome, run
from support.hostile import BY_SUFFIX
from support.mutate import mutated, scrambled
from support.releases import installed_root, source_root
from support.sample import NEW, OLD
from support.trees import texts

SUFFIXES = tuple(BY_SUFFIX)
MANY = 300
# As large as a second or two allows; a step that looks back over the text again and again needs minutes.
LARGE = {".md": 300_000, ".xml": 200_000, ".yaml": 60_000, ".toml": 100_000, ".csv": 100_000}
REFUSED = {"BMC106", "BMC107"}


def bad(outcomes: Iterable[Outcome]) -> list[str]:
    return [f"{outcome.name}: {outcome.result}" for outcome in outcomes if outcome.is_bad]


def own(suffix: str) -> list[str]:
    return [text for tree in (OLD, NEW) for name, text in sorted(tree.items()) if name.endswith(suffix)]


def cases_of(sources: list[str], suffix: str, seed: str) -> list[Case]:
    chance = random.Random(seed)
    made = []
    for number in range(MANY):
        data = (
            mutated(chance.choice(sources), chance.choice(sources), chance)
            if number % 4
            else scrambled(chance)
        )
        made.append(Case(f"{seed} {number} {data[:2000]!r}", {f"a{suffix}": data}, f"a{suffix}"))
    return made


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_show_7_random_and_mutated_files_of_our_own(tmp_path: Path, suffix: str) -> None:
    outcomes = run(tmp_path, cases_of(own(suffix), suffix, f"own {suffix}"))
    assert bad(outcomes) == []
    assert len(outcomes) == MANY
    assert {outcome.result for outcome in outcomes} <= {"read", *REFUSED}
    # Damage that nobody notices would be no damage.
    assert sum(bool(outcome.codes) for outcome in outcomes) > MANY // 10


@pytest.mark.needs("bmad-releases")
@pytest.mark.parametrize("version", ["6.0.4", "6.12.0"])
def test_show_7_mutated_files_of_a_release(tmp_path: Path, version: str) -> None:
    known: dict[str, list[str]] = {}
    for text in texts(source_root(version) / "src"):
        # A small file is damaged in more of its parts.
        if len(text.text) < 12_000:
            known.setdefault(Path(text.path).suffix, []).append(text.text)
    made = [
        case for end in SUFFIXES if end in known for case in cases_of(known[end], end, f"{version} {end}")
    ]
    outcomes = run(tmp_path, made)
    assert bad(outcomes) == []
    assert len(outcomes) == len(made) >= 4 * MANY
    assert {outcome.result for outcome in outcomes} <= {"read", *REFUSED}


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_show_7_texts_that_are_made_to_stall(tmp_path: Path, suffix: str) -> None:
    small = [
        Case(f"small {name}", {f"a{suffix}": make(4000).encode()}, f"a{suffix}")
        for name, make in BY_SUFFIX[suffix].items()
    ]
    large = [
        Case(f"large {name}", {f"a{suffix}": make(LARGE[suffix]).encode()}, f"a{suffix}", is_large=True)
        for name, make in BY_SUFFIX[suffix].items()
    ]
    outcomes = run(tmp_path, small + large)
    assert bad(outcomes) == []
    assert [outcome.result for outcome in outcomes] == ["read"] * len(small + large)


@pytest.mark.parametrize(
    ("suffix", "name", "code"),
    [
        (".xml", "entities", "BMC318"),
        (".xml", "an entity of a file", "BMC318"),
        (".xml", "a document type of a host", "BMC318"),
        (".xml", "entities of parameters", "BMC318"),
        (".yaml", "aliases", "BMC318"),
        (".yaml", "brackets", "BMC318"),
        (".yaml", "tags", "BMC318"),
        (".toml", "brackets", "BMC318"),
        (".toml", "dots", "BMC318"),
        (".toml", "a number", "BMC318"),
        (".md", "front matter of aliases", "BMC315"),
        (".md", "front matter of brackets", "BMC315"),
        (".md", "open tags", "BMC317"),
        (".md", "open comments", "BMC311"),
    ],
)
def test_show_7_a_bomb_gives_a_clear_error(tmp_path: Path, suffix: str, name: str, code: str) -> None:
    data = BY_SUFFIX[suffix][name](20_000).encode()
    (outcome,) = run(tmp_path, [Case(name, {f"a{suffix}": data}, f"a{suffix}")])
    assert not outcome.is_bad, outcome
    assert code in outcome.codes


def test_show_7_files_that_must_not_be_opened(tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret", encoding="utf-8")
    cases = [
        Case("50 MB", read="a.md"),
        Case("a link out", read="a.md"),
        Case("a folder that is a link out", read="b/secret.md"),
        Case("a path with dots", read="../secret.md"),
        Case("a path from the top", read=str(tmp_path / "secret.md")),
        Case("a pipe", read="a.md"),
        Case("a device", read="a.md"),
        Case("a link to itself", read="a.md"),
        Case("not there", read="a.md"),
        Case("a folder", {"a.md/b": b""}, "a.md"),
        Case("a link inside", {"b.md": b"text"}, "a.md"),
    ]
    for number in range(len(cases)):
        (tmp_path / "root" / str(number)).mkdir(parents=True)
    with (tmp_path / "root" / "0" / "a.md").open("wb") as file:
        file.truncate(50 * 1024 * 1024)
    (tmp_path / "root" / "1" / "a.md").symlink_to(tmp_path / "secret.md")
    (tmp_path / "root" / "2" / "b").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "root" / "5" / "a.md")
    (tmp_path / "root" / "6" / "a.md").symlink_to("/dev/zero")
    (tmp_path / "root" / "7" / "a.md").symlink_to("a.md")
    (tmp_path / "root" / "10" / "a.md").symlink_to("b.md")
    outcomes = run(tmp_path / "root", cases)
    assert bad(outcomes) == []
    assert [(outcome.name, outcome.result) for outcome in outcomes] == [
        ("50 MB", "BMC105"),
        ("a link out", "BMC102"),
        ("a folder that is a link out", "BMC102"),
        ("a path with dots", "BMC102"),
        ("a path from the top", "BMC102"),
        ("a pipe", "BMC103"),
        ("a device", "BMC102"),
        ("a link to itself", "BMC104"),
        ("not there", "BMC101"),
        ("a folder", "BMC103"),
        ("a link inside", "read"),
    ]


# Whole trees.


def trees_of(base: dict[str, bytes], count: int, seed: str) -> list[Case]:
    chance = random.Random(seed)
    made = []
    for number in range(count):
        files = dict(base)
        damaged = chance.sample(sorted(files), k=min(len(files), chance.randint(1, 4)))
        for name in damaged:
            other = base[chance.choice(sorted(base))].decode()
            files[name] = mutated(base[name].decode(), other, chance)
        made.append(Case(f"{seed} {number} {[(name, files[name][:1500]) for name in damaged]}", files))
    return made


@pytest.mark.parametrize(("name", "tree"), [("old", OLD), ("new", NEW)])
def test_show_7_trees_with_mutated_files(tmp_path: Path, name: str, tree: dict[str, str]) -> None:
    base = {path: text.encode() for path, text in tree.items()}
    outcomes = run(tmp_path, [Case("as it is", base), *trees_of(base, 150, f"tree {name}")])
    assert bad(outcomes) == []
    assert len(outcomes) == 151
    assert outcomes[0].result == "read"


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_show_7_trees_with_a_hostile_file(tmp_path: Path, suffix: str) -> None:
    base = {
        path: text.encode() for path, text in (OLD if suffix in (".xml", ".csv", ".yaml") else NEW).items()
    }
    targets = [path for path in sorted(base) if path.endswith(suffix)]
    cases = [
        Case(f"{name} in {target}", {**base, target: make(30_000).encode()})
        for number, (name, make) in enumerate(BY_SUFFIX[suffix].items())
        for target in (targets[number % len(targets)],)
    ]
    outcomes = run(tmp_path, cases)
    assert bad(outcomes) == []
    assert len(outcomes) == len(cases)


def test_show_7_trees_with_files_that_must_not_be_opened(tmp_path: Path) -> None:
    base = {path: text.encode() for path, text in OLD.items()}
    place = "src/core/workflows/sow/instructions.md"
    rest = {path: data for path, data in base.items() if path != place}
    cases = [
        Case("a link out", rest),
        Case("a pipe", rest),
        Case("50 MB", rest),
        Case("a folder linked", rest),
    ]
    (tmp_path / "secret.md").write_text("secret", encoding="utf-8")
    for number in range(len(cases)):
        (tmp_path / "root" / str(number) / place).parent.mkdir(parents=True)
    (tmp_path / "root" / "0" / place).symlink_to(tmp_path / "secret.md")
    os.mkfifo(tmp_path / "root" / "1" / place)
    with (tmp_path / "root" / "2" / place).open("wb") as file:
        file.truncate(50 * 1024 * 1024)
    (tmp_path / "root" / "3" / "src" / "core" / "linked").symlink_to(tmp_path)
    outcomes = run(tmp_path / "root", cases)
    assert bad(outcomes) == []
    assert [outcome.result for outcome in outcomes] == ["read"] * 4
    assert ["BMC102" in outcomes[0].codes, "BMC103" in outcomes[1].codes, "BMC105" in outcomes[2].codes] == [
        True
    ] * 3


@pytest.mark.needs("bmad-installed")
@pytest.mark.parametrize("version", ["6.0.4", "6.12.0"])
def test_show_7_a_release_with_mutated_files(tmp_path: Path, version: str) -> None:
    base = {
        text.path: text.text.encode() for text in texts(installed_root(version)) if len(text.text) < 30_000
    }
    outcomes = run(tmp_path, trees_of(base, 6, f"release {version}"))
    assert bad(outcomes) == []
    assert len(outcomes) == 6


# The harness itself.


def test_the_harness_names_the_case_that_stalls_or_reaches_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spy = tmp_path / "spy"
    spy.mkdir()
    for number, harm in enumerate(
        (
            "open('/etc/hostname').read()",
            "__import__('os').listdir('/')",
            "__import__('socket').socket()",
            "__import__('subprocess').run(['true'])",
            "open(__import__('os').path.join(str(root), 'new'), 'w')",
            "exec('while True: pass')",
            "[0] * 10**9",
            "1 / 0",
        )
    ):
        # A customised interpreter in which reading a certain file does the harm.
        (spy / "sitecustomize.py").write_text(
            "import bmadc.source as s, socket, subprocess\nplain = s.read_text\n"
            "def read_text(root, name, **more):\n"
            f"    if name == 'bad.md': {harm}\n    return plain(root, name, **more)\n"
            "s.read_text = read_text\n",
            encoding="utf-8",
        )
        monkeypatch.setenv("SPY", str(spy))
        cases = [Case("good", {"a.md": b"a"}, "a.md"), Case("bad", {"bad.md": b"a"}, "bad.md")]
        outcomes = run(tmp_path / str(number), cases)
        assert [(outcome.name, outcome.is_bad) for outcome in outcomes] == [("good", False), ("bad", True)], (
            harm
        )
