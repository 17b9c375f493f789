"""Parts and sums of a pack."""

from dataclasses import replace
from pathlib import Path

import pytest

from bmadc.frontend.files import read_tree
from bmadc.frontend.pack import read_pack
from bmadc.ir.model import Agent, FileEntry, Origin, Owner, Pack, Shim, Step, Workflow
from bmadc.ir.outline import contents, nearest_units, offers, only, size, survey, unit
from bmadc.source import Text
from support.hut import HUT, write_hut


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    return read_pack(write_hut(tmp_path))


def workflow(pack: Pack, name: str) -> Workflow:
    found = unit(pack, name)
    assert isinstance(found, Workflow)
    return found


def test_the_survey_of_a_small_module(pack: Pack) -> None:
    found = survey(pack)
    assert (found.agents, found.workflows, found.steps, found.step_files) == (1, 2, 2, 2)
    assert (found.files, found.text_files) == (len(HUT), len(HUT))
    assert found.characters == sum(map(len, HUT.values()))
    assert (found.several, found.unowned, found.shims, found.overlays) == ((), ("hut-stove",), (), ())


def test_owners_are_counted_by_agent_and_shims_need_none(pack: Pack) -> None:
    stove, sweep = pack.workflows
    twice = replace(sweep, owners=(*sweep.owners, Owner("cook", "help", "SW", Origin("a"))))
    again = replace(sweep, owners=sweep.owners * 2)
    assert survey(replace(pack, workflows=(stove, twice))).several == (
        ("hut-sweep", ("cook", "hut-agent-keeper")),
    )
    assert survey(replace(pack, workflows=(stove, again))).several == ()
    leads = replace(stove, shim=Shim("forwarder", "hut-sweep"))
    assert survey(replace(pack, workflows=(leads, sweep))).unowned == ()
    assert survey(replace(pack, workflows=(leads, sweep))).shims == (("hut-stove", "forwarder", "hut-sweep"),)
    whole = replace(stove, shim=Shim("retained"))
    assert survey(replace(pack, workflows=(whole, sweep))).unowned == ("hut-stove",)
    engine = replace(stove, engine=True)
    assert survey(replace(pack, workflows=(engine, sweep))).unowned == ()


@pytest.mark.parametrize(
    ("path", "text", "counts"),
    [
        ("_bmad/custom/hut-sweep.toml", '[workflow]\nx = "y"\n', True),
        ("_bmad/custom/hut-sweep.toml", "# to be filled\n", False),
        ("_bmad/_config/agents/hut-keeper.customize.yaml", "agent:\n  metadata:\n    name: ''\n", False),
        ("_bmad/_config/agents/hut-keeper.customize.yaml", "agent:\n  memories:\n    - snow\n", True),
        ("_bmad/config.toml", "a = 1\n", False),
    ],
)
def test_an_overlay_that_says_nothing_is_none(pack: Pack, path: str, text: str, counts: bool) -> None:
    more = replace(
        pack,
        files=(*pack.files, FileEntry(path, "config")),
        trees={**pack.trees, path: read_tree(Text(path, text))},
    )
    assert survey(more).overlays == ((path,) if counts else ())


def test_the_share_of_the_fallback(pack: Pack) -> None:
    tree = replace(pack.trees["module.yaml"], fallback=10)
    found = survey(replace(pack, trees={"module.yaml": tree}))
    assert found.fallback_percent == round(1000 / len(HUT["module.yaml"]), 2)
    assert survey(replace(pack, trees={})).fallback_percent == 0.0


def test_units_are_found_by_id_and_by_alias(pack: Pack) -> None:
    assert workflow(pack, "hut-sweep").id == "hut-sweep"
    assert isinstance(unit(pack, "hut-agent-keeper"), Agent)
    assert unit(pack, "broom") is None
    stove, sweep = pack.workflows
    assert (
        workflow(replace(pack, workflows=(stove, replace(sweep, aliases=("broom",)))), "broom").id
        == "hut-sweep"
    )
    assert nearest_units(pack, "hut-swep")[0] == "hut-sweep"


def test_one_unit_takes_its_own_files_along(pack: Pack) -> None:
    sweep = workflow(pack, "hut-sweep")
    part = only(pack, sweep)
    assert (part.agents, part.workflows, part.help) == ((), (sweep,), sweep.help)
    mine = {path for path in HUT if path.startswith("hut-sweep/")}
    assert set(part.trees) == mine == {entry.path for entry in part.files}
    assert {fact.path for fact in part.facts} == mine
    assert part.diagnostics == ()
    assert only(pack, workflow(pack, "hut-stove")).diagnostics == pack.diagnostics
    (agent,) = pack.agents
    assert set(only(pack, agent).trees) == {path for path in HUT if path.startswith("hut-agent")}
    assert only(pack, agent).workflows == ()


def test_what_a_step_holds(pack: Pack) -> None:
    look, sweep = workflow(pack, "hut-sweep").steps
    assert contents(pack, look) == ((1, "menu"), (2, "boxes"), (1, "file to read"))
    assert contents(pack, sweep) == ((2, "actions"), (1, "check"))


def test_a_tag_or_a_heading_holds_only_its_own(pack: Pack) -> None:
    path = "hut-sweep/steps/step-02-sweep.md"
    text = (
        '# All\n\n## One\n\n<action>a</action>\n\n## Two\n\n<step n="2">\n<action>b</action>\n'
        "<action>c</action>\n</step>\n"
    )
    more = replace(pack, facts=(), trees={path: read_tree(Text(path, text))})
    assert contents(more, Step("1", "One", "heading", Origin(path, 3))) == ((1, "action"),)
    assert contents(more, Step("2", "", "tag", Origin(path, 9))) == ((2, "actions"),)
    assert contents(more, Step("", "All", "file", Origin(path, 1))) == ((3, "actions"),)
    assert contents(more, Step("", "Gone", "file", Origin("gone.md", 1))) == ()


def test_sizes_and_offers(pack: Pack) -> None:
    (agent,) = pack.agents
    assert offers(pack, agent) == ("hut-sweep",)
    assert size(pack, agent.files) == sum(len(HUT[path].encode()) for path in agent.files)
    assert "🏔" in HUT[agent.files[1]]
    assert size(pack, ("picture.png",)) == 0
