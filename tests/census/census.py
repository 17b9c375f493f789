"""Count a BMAD source tree from its files with plain regular expressions.

It shares nothing with the compiler: no import of it and no parser library, so that equal counts mean
something. Each count is one short function, and its docstring is its definition.

What all counts have in common: a path with a folder `tests` or `__pycache__` in it is not looked at; text is
UTF-8 with CRLF read as LF; a fence is a line of three or more back-ticks or tildes at any indentation, up to
a line of nothing but at least as many of the same sign; inline code is a pair of back-ticks on one line; a
comment is `<!-- ... -->`, over lines too.
"""

import argparse
import csv
import io
import json
import re
import tarfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

Files = Mapping[str, bytes]

EXPECTED = Path(__file__).with_name("expected.json")
IGNORED = {"__pycache__", "tests"}

# In Markdown only these names are tags: other angle brackets there are placeholders such as <branch>.
TAGS_IN_MARKDOWN = frozenset(
    re.findall(
        r"[a-z-]+",
        """
        action check output step critical template-output ask i prompt check-item status section
        halt-condition guideline note input mandate substep workflow llm condition flow task goto anchor
        param objective halt-conditions case model if invoke-protocol invoke-workflow invoke-task desc
        inputs example output-format phase rule strategy mode iterate tag reference frozen-after-approval
        intent-contract facilitation-guidelines execution-notes checklist
        """,
    )
)

FENCE = re.compile(r"\s*(`{3,}|~{3,})")
INLINE_CODE = re.compile(r"`[^`\n]*`")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
ATTRIBUTE = re.compile(r"""\s([\w:-]+)\s*=\s*("[^"]*"|'[^']*')""")
TAG = re.compile(r"""<([A-Za-z][\w-]*)((?:\s+[\w:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*/?>""")
BOX = re.compile(r"^\s*[-*+] \[([ xX])\]", re.MULTILINE)
HEADING = re.compile(r"^( *)#{1,6}(?= |$)")
TABLE = re.compile(r"^\| *Code *\| *Description *\|.*\n\|[-| :]+\n((?:\|.*(?:\n|$))*)", re.MULTILINE)
OPTION = re.compile(r"\[([A-Za-z0-9])\]")
OPTION_LINE = re.compile(r"""\s*(?:[-*]\s+)?["`*]*\[([A-Z])\]""")


# --- reading ---------------------------------------------------------------------------------------------


def files_under(root: Path) -> Files:
    """Every file below a folder by its path from there."""
    found = {path.relative_to(root).as_posix(): path for path in root.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in found.items()}


def files_in(tarball: Path) -> Files:
    """Every file of the folder `package/src` of an npm tarball by its path from there."""
    found = {}
    with tarfile.open(tarball) as opened:
        for member in opened:
            name = member.name.removeprefix("package/src/")
            if name != member.name and member.isfile():
                file = opened.extractfile(member)
                found[name] = file.read() if file else b""
    return found


def looked_at(files: Files) -> Files:
    """The files that lie in no folder of tests or of compiled Python, in the order of their paths."""
    return {name: files[name] for name in sorted(files) if not IGNORED & set(name.split("/"))}


def text(content: bytes) -> str:
    """The text of a file with LF line ends."""
    return content.decode("utf-8", "replace").replace("\r\n", "\n")


def texts(files: Files, *endings: str) -> Iterator[tuple[str, str]]:
    """Path and text of the files whose name ends in one of these."""
    return ((name, text(content)) for name, content in files.items() if name.endswith(endings))


@cache
def without_fences(source: str) -> tuple[str, int]:
    """The text with each line of a fenced block made empty (line numbers stay), and the number of blocks."""
    kept, blocks, opened = [], 0, ""
    for line in source.split("\n"):
        mark = FENCE.match(line)
        if opened:
            kept.append("")
            if mark and line.strip() == mark[1] and mark[1].startswith(opened):
                opened = ""
        elif mark:
            kept.append("")
            opened, blocks = mark[1], blocks + 1
        else:
            kept.append(line)
    return "\n".join(kept), blocks


def without_front_matter(source: str) -> str:
    """The text with its front matter made empty: from a first line `---` to the next line `---`."""
    lines = source.split("\n")
    if lines[0].rstrip() == "---":
        for number, line in enumerate(lines[1:], 1):
            if line.rstrip() == "---":
                return "\n".join([""] * (number + 1) + lines[number + 1 :])
    return source


def markup(name: str, source: str) -> str:
    """The part of a file where tags are looked for: of Markdown what is no fence and no inline code."""
    return source if name.endswith(".xml") else INLINE_CODE.sub("", without_fences(source)[0])


# --- units and agents ------------------------------------------------------------------------------------


def folder(name: str) -> str:
    """The folder of a path, without its last part."""
    return PurePosixPath(name).parent.as_posix()


def inside(name: str, folders: set[str]) -> bool:
    """Whether a path is one of these folders or lies in one."""
    return any(f"{name}/".startswith(f"{each}/") for each in folders)


def skill_folders(files: Files) -> set[str]:
    """Folders with a SKILL.md; every skill lies in a folder of its own below the root."""
    return {folder(name) for name in files if name.endswith("/SKILL.md")}


def agent_folders(files: Files) -> set[str]:
    """Skill folders that hold `type: agent` in bmad-skill-manifest.yaml or `[agent]` in customize.toml."""

    def is_agent(skill: str) -> bool:
        manifest = text(files.get(f"{skill}/bmad-skill-manifest.yaml", b""))
        customize = text(files.get(f"{skill}/customize.toml", b""))
        return bool(
            re.search(r"^type: *[\"']?agent\b", manifest, re.MULTILINE)
            or re.search(r"^\[agent\] *$", customize, re.MULTILINE)
        )

    return {skill for skill in skill_folders(files) if is_agent(skill)}


def workflows(files: Files) -> dict[str, tuple[str, str]]:
    """The units that are no agents: id -> (kind, path), in five kinds.

    `skill`: a skill folder that is no agent. Outside of all skill folders: `yaml`: a folder with
    workflow.yaml; `task`: a .md or .xml file directly in a folder `tasks`, its stem; and outside of yaml
    folders `entry`: a folder with workflow.md or workflow.xml; `variant`: a file workflow-<id>.md. The id is
    the folder's name but for tasks and variants. What has the id of a skill without its `bmad-` is a leftover
    and no unit.
    """
    skills = skill_folders(files)
    found = {PurePosixPath(s).name: ("skill", s) for s in sorted(skills - agent_folders(files))}
    yaml = {folder(name) for name in files if name.endswith("/workflow.yaml") and not inside(name, skills)}
    legacy = {PurePosixPath(each).name: ("yaml", each) for each in sorted(yaml)}
    for name in files:
        if inside(name, skills | yaml):
            continue
        path = PurePosixPath(name)
        if path.parent.name == "tasks" and path.suffix in {".md", ".xml"}:
            legacy[path.stem] = ("task", name)
        elif path.name in {"workflow.md", "workflow.xml"}:
            legacy[path.parent.name] = ("entry", folder(name))
        elif re.fullmatch(r"workflow-.+\.md", path.name):
            legacy[path.stem.removeprefix("workflow-")] = ("variant", folder(name))
    return found | {key: unit for key, unit in legacy.items() if f"bmad-{key}" not in found}


def unit_folders(files: Files) -> set[str]:
    """The folders of all units and agents that have one of their own; variants share theirs."""
    return {path for kind, path in workflows(files).values() if kind != "task"} | agent_folders(files)


def menus(files: Files) -> dict[str, list[tuple[str, str]]]:
    """The menu of each agent: agent id -> (code, kind) in file order.

    *.agent.yaml: the id is the file's name, see `yaml_menu`. Agent folders: the id is the folder's name, see
    `toml_menu` for customize.toml and, when that holds no item, `table_menu` for SKILL.md.
    """
    found = {
        PurePosixPath(name).name.removesuffix(".agent.yaml"): yaml_menu(source)
        for name, source in texts(files, ".agent.yaml")
    }
    for agent in agent_folders(files):
        items = toml_menu(text(files.get(f"{agent}/customize.toml", b"")))
        found[PurePosixPath(agent).name] = items or table_menu(text(files[f"{agent}/SKILL.md"]))
    return found


def yaml_menu(source: str) -> list[tuple[str, str]]:
    """Items `- trigger:`; the code is the first word; the kind is the first of exec, workflow or action.

    The item ends at the next trigger.
    """
    found = []
    for item in re.split(r"^ *- trigger: *", source, flags=re.MULTILINE)[1:]:
        kind = re.search(r"^ *(exec|workflow|action):", item, re.MULTILINE)
        found.append((item.split()[0].strip("\"'"), kind[1] if kind else "none"))
    return found


def toml_menu(source: str) -> list[tuple[str, str]]:
    """Tables `[[agent.menu]]`, each with the value of `code =` and which of skill or prompt it sets."""
    found = []
    for item in re.split(r"^\[\[agent\.menu\]\] *$", source, flags=re.MULTILINE)[1:]:
        code = re.search(r"^code *= *[\"']([^\"']*)", item, re.MULTILINE)
        kind = re.search(r"^(skill|prompt) *=", item, re.MULTILINE)
        found.append((code[1] if code else "none", kind[1] if kind else "none"))
    return found


def table_menu(source: str) -> list[tuple[str, str]]:
    """Rows of the Markdown table with the header `| Code | Description | ... |`.

    The kind is prompt when the third cell starts with `prompt:`, else skill.
    """
    table = TABLE.search(source)
    rows = [[cell.strip() for cell in row.split("|")] for row in table[1].splitlines()] if table else []
    return [(row[1], "prompt" if row[3].startswith("prompt:") else "skill") for row in rows]


# --- the counts ------------------------------------------------------------------------------------------


def agents_count(files: Files) -> dict[str, Any]:
    """Each agent with the codes of its menu, in order."""
    return {agent: " ".join(code for code, _ in items) for agent, items in menus(files).items()}


def menu_items_count(files: Files) -> dict[str, int]:
    """Items in the menus of all agents, by kind."""
    return dict(Counter(kind for items in menus(files).values() for _, kind in items))


def workflows_count(files: Files) -> dict[str, str]:
    """Each unit that is no agent with its kind."""
    return {key: kind for key, (kind, _) in workflows(files).items()}


def structure_count(files: Files) -> dict[str, int]:
    """Files whose path ends so: the evidence that a release is told by."""
    names = ("workflow.yaml", "SKILL.md", "bmad-skill-manifest.yaml", "customize.toml", "module-help.csv")
    endings = (".agent.yaml", ".xml", "workflow.md", *(f"/{name}" for name in names))
    return {ending.lstrip("/"): sum(f"/{name}".endswith(ending) for name in files) for ending in endings}


def step_files_count(files: Files) -> dict[str, Any]:
    """Files named step-*.md: all, those in a unit's folder, by folder, by the state of their front matter.

    The folder is the parent's name when it has `steps` in it, else `root`. A file with an empty front matter
    is not counted as one without.
    """
    steps = {name: text(files[name]) for name in files if re.fullmatch(r"step-.*\.md", name.split("/")[-1])}
    parents = [name.split("/")[-2] for name in steps]
    units = unit_folders(files)
    return {
        "total": len(steps),
        "in_units": sum(inside(name, units) for name in steps),
        "by_folder": dict(Counter(parent if "steps" in parent else "root" for parent in parents)),
        "without_front_matter": sum(not has_front_matter(source) for source in steps.values()),
        "with_empty_front_matter": sum(has_empty_front_matter(source) for source in steps.values()),
    }


def tags_of(name: str, source: str) -> list[tuple[str, dict[str, str]]]:
    """Opening and self-closing tags of a piece of markup in order, with their attributes.

    A quoted value may hold `<`, `>` and line ends. In Markdown only the names in TAGS_IN_MARKDOWN count, in
    .xml every name does.
    """
    return [
        (tag[1], {key: value[1:-1] for key, value in ATTRIBUTE.findall(tag[2])})
        for tag in TAG.finditer(source)
        if name.endswith(".xml") or tag[1] in TAGS_IN_MARKDOWN
    ]


def tags_count(files: Files) -> dict[str, Any]:
    """Tags of .md and .xml files outside fences and inline code, by name, and their attributes by name.

    Tags in comments count apart.
    """
    tags: Counter[str] = Counter()
    commented: Counter[str] = Counter()
    attributes: dict[str, Counter[str]] = {}
    for name, source in texts(files, ".md", ".xml"):
        body = markup(name, source)
        for tag, given in tags_of(name, COMMENT.sub("", body)):
            tags[tag] += 1
            if given:
                attributes.setdefault(tag, Counter()).update(given.keys())
        for comment in COMMENT.findall(body):
            commented.update(tag for tag, _ in tags_of(name, comment))
    return {
        "tags": dict(tags),
        "tags_in_comments": dict(commented),
        "attributes": {tag: dict(given) for tag, given in attributes.items()},
    }


def gotos_count(files: Files) -> dict[str, int]:
    """`<goto>` tags with step=, with anchor=, and those whose target is in the same file.

    The target is a `<step>` with that n= or an `<anchor>` with that id=.
    """
    found = Counter(step=0, anchor=0, resolved=0)
    for name, source in texts(files, ".md", ".xml"):
        tags = tags_of(name, COMMENT.sub("", markup(name, source)))
        targets = {("step", given.get("n")) for tag, given in tags if tag == "step"}
        targets |= {("anchor", given.get("id")) for tag, given in tags if tag == "anchor"}
        for tag, given in tags:
            for kind in ("step", "anchor"):
                if tag == "goto" and kind in given:
                    found[kind] += 1
                    found["resolved"] += (kind, given[kind]) in targets
    return dict(found)


def boxes_count(files: Files) -> dict[str, Any]:
    """List items of .md and .xml files that start with `[ ]` (open) or `[x]` (done).

    All, those outside fences, those of files with `checklist` in their name by path; and `<check-item>` tags.
    """
    found = Counter(open=0, done=0, open_outside_fences=0, done_outside_fences=0)
    in_checklists: Counter[str] = Counter()
    for name, source in texts(files, ".md", ".xml"):
        for part, suffix in ((source, ""), (without_fences(source)[0], "_outside_fences")):
            for sign in BOX.findall(part):
                found[("open" if sign == " " else "done") + suffix] += 1
        if "checklist" in name.split("/")[-1] and BOX.search(source):
            in_checklists[name] = len(BOX.findall(source))
    items = tags_count(files)["tags"].get("check-item", 0)
    return {**found, "in_checklists": dict(in_checklists), "check_items": items}


def csv_count(files: Files) -> dict[str, dict[str, int]]:
    """Per CSV file: fields of the header, data rows (a quoted line end makes no row), rows of another width.

    Blank lines are no rows.
    """
    found = {}
    for name, content in files.items():
        if name.endswith(".csv"):
            rows = [row for row in csv.reader(io.StringIO(content.decode("utf-8"), newline="")) if row]
            odd = sum(len(row) != len(rows[0]) for row in rows[1:])
            found[name] = {"columns": len(rows[0]), "rows": len(rows) - 1, "rows_of_other_width": odd}
    return found


def has_front_matter(source: str) -> bool:
    """Whether the first line is `---`."""
    return source.split("\n", 1)[0].rstrip() == "---"


def has_empty_front_matter(source: str) -> bool:
    """Whether the first two lines are `---`."""
    return [line.rstrip() for line in source.split("\n", 2)[:2]] == ["---", "---"]


def front_matter_count(files: Files) -> dict[str, int]:
    """Markdown files whose first line is `---`, and those whose second line is `---` too."""
    sources = [source for _, source in texts(files, ".md")]
    return {"files": sum(map(has_front_matter, sources)), "empty": sum(map(has_empty_front_matter, sources))}


def menu_lines_count(files: Files) -> dict[str, Any]:
    """Menus in the text of .md and .xml files, with their options.

    `lines`: path:line of lines outside fences with two or more different options `[c]`, c one letter or
    digit; `fenced_lines`: such lines inside fences; `files`: the options of lines outside fences that start
    with `[C]`, a capital (after a bullet, quotes or stars), by path.
    """
    lines: dict[str, str] = {}
    fenced: dict[str, str] = {}
    starts: dict[str, str] = {}
    for name, source in texts(files, ".md", ".xml"):
        outside = without_fences(source)[0].split("\n")
        for number, (line, kept) in enumerate(zip(source.split("\n"), outside, strict=True), 1):
            options = OPTION.findall(line)
            if len(set(options)) > 1:
                (lines if kept else fenced)[f"{name}:{number}"] = " ".join(options)
        first = [start[1] for line in outside if (start := OPTION_LINE.match(line))]
        if first:
            starts[name] = " ".join(first)
    return {"lines": lines, "fenced_lines": fenced, "files": starts}


def markdown_count(files: Files) -> dict[str, int]:
    """Of Markdown files without their front matter: fenced blocks, comments outside fences and inline code,
    headings outside fences (`#` to `######` and a blank, up to three blanks before), deeper indented ones.
    """
    found = Counter(fences=0, comments=0, headings=0, headings_indented=0)
    for name, source in texts(files, ".md"):
        outside, blocks = without_fences(without_front_matter(source))
        found["fences"] += blocks
        found["comments"] += len(COMMENT.findall(markup(name, source)))
        for heading in filter(None, map(HEADING.match, outside.split("\n"))):
            found["headings" if len(heading[1]) < 4 else "headings_indented"] += 1
    return dict(found)


def extensions_count(files: Files) -> dict[str, dict[str, int]]:
    """Files and their bytes by extension."""
    found: dict[str, Counter[str]] = {}
    for name, content in files.items():
        found.setdefault(PurePosixPath(name).suffix, Counter()).update(files=1, bytes=len(content))
    return {extension: dict(sums) for extension, sums in found.items()}


def census_of(files: Files) -> dict[str, Any]:
    """All counts of a tree given as path -> content."""
    files = looked_at(files)
    return {
        "agents": agents_count(files),
        "boxes": boxes_count(files),
        "csv": csv_count(files),
        "extensions": extensions_count(files),
        "front_matter": front_matter_count(files),
        "gotos": gotos_count(files),
        "markdown": markdown_count(files),
        "menu_items": menu_items_count(files),
        "menus_in_text": menu_lines_count(files),
        "step_files": step_files_count(files),
        "structure": structure_count(files),
        "workflows": workflows_count(files),
        **tags_count(files),
    }


def census(root: Path) -> dict[str, Any]:
    """All counts of the source tree in a folder: what npm ships as `src`."""
    return census_of(files_under(root))


def turned(name: str) -> str:
    """A path from its last part to its first, `a/b.md:3` as `b.md:3 in a`.

    Paths stand in BMAD's own text, and no eight words of that may be committed in their order.
    """
    return " in ".join(reversed(name.split("/")))


def turned_back(name: str) -> str:
    """The path that was turned."""
    return "/".join(reversed(name.split(" in ")))


def renamed(value: Any, name: Callable[[str], str]) -> Any:
    """The same counts with every key renamed, on all levels."""
    return (
        {name(key): renamed(each, name) for key, each in value.items()} if isinstance(value, dict) else value
    )


def expected() -> dict[str, Any]:
    """The committed counts by package."""
    counted: dict[str, Any] = renamed(json.loads(EXPECTED.read_text(encoding="utf-8")), turned_back)
    return counted


def rendered(counted: Mapping[str, Any]) -> str:
    """Counts as JSON text with sorted keys."""
    return json.dumps(counted, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def main() -> None:
    """Print the census of one folder, or write that of the tarballs given to the file of expected counts."""
    parser = argparse.ArgumentParser(description="Count a BMAD source tree.")
    parser.add_argument("--write", action="store_true", help="the paths are tarballs; write expected.json")
    parser.add_argument("paths", nargs="+", type=Path)
    given = parser.parse_args()
    if given.write:
        counted = {path.stem: census_of(files_in(path)) for path in given.paths}
        EXPECTED.write_text(rendered(renamed(counted, turned)), encoding="utf-8")
    else:
        print(rendered(census(given.paths[0])), end="")


if __name__ == "__main__":
    main()
