"""Copied code among the touchpoints that `leverage coupling` lists."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.unit.cli.conftest import SPEC
from tests.unit.sources.tools import Repository

if TYPE_CHECKING:
    from tests.unit.cli.conftest import Place

BODY = "".join(f"    step_{n} = device.method_{n}(node, {n}) + limit_{n}\n" for n in range(12))
UPSTREAM = f"def order(device, node):\n{BODY}    return node\n".encode()
PORT = b"import torch.up\n\n\nX = 1\n\n\n" + UPSTREAM
BELOW = """\
  below:
    role: substrate
    source: {{path: below, commit: "{commit}"}}
    components:
      all: {{include: ["torch/**"]}}
compare:"""


def kinds(text: str) -> list[tuple[str, str, int, str]]:
    return [(one["kind"], one["path"], one["line"], one["symbol"]) for one in json.loads(text)["touchpoints"]]


def test_a_folder_is_searched_for_copies_when_they_are_asked_for(place: Place) -> None:
    (place.path / "port").mkdir()
    (place.path / "port" / "a.py").write_bytes(PORT)
    (place.path / "up" / "torch").mkdir(parents=True)
    (place.path / "up" / "torch" / "up.py").write_bytes(UPSTREAM)
    asked = ("coupling", "port", "--upstream", "up", "--format", "json")
    ran = place.run(*asked, "--kind", "copied")
    assert ran.code == 0, ran.err
    assert kinds(ran.out) == [("copied", "a.py", 7, "torch.up.order")]
    # It takes a while, so nobody pays for what he did not ask for.
    assert kinds(place.run(*asked).out) == [("import", "a.py", 1, "torch.up")]
    assert kinds(place.run("coupling", "port", "--format", "json", "--kind", "copied").out) == []


def test_a_system_is_searched_in_the_components_of_what_it_builds_on(world: Place) -> None:
    below = Repository(world.path / "below").commit({"torch/up.py": UPSTREAM})
    port = Repository(world.path / "copying").commit({"core/a.py": PORT})
    text = SPEC.format(
        port=f'{{path: copying, commit: "{port}"}}', base=f'{{path: base, commit: "{world.commits["base"]}"}}'
    )
    text = text.replace("    role: extension\n", "    role: extension\n    builds_on: below\n")
    text = text.replace("compare:", BELOW.format(commit=below))
    (world.path / "repos.yaml").write_text(text)
    (world.path / "port").rename(world.path / "away")  # a path of that name would come before the system
    ran = world.run("coupling", "port", "--format", "json")
    assert ran.code == 0, ran.err
    assert kinds(ran.out) == [("import", "core/a.py", 1, "torch.up"), ("copied", "core/a.py", 7, "torch.up.order")]
    assert json.loads(ran.out)["totals"]["copied"]["private"] == 0
