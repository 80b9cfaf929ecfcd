from __future__ import annotations

from pathlib import Path

import pytest
from leverage.model.errors import ConfigurationError, Problem
from leverage.spec.mirrors import load_mirrors, mirrors_from
from tests.unit.spec.examples import write

GOOD = """\
https://example.org/port: port.git
git@example.org:group/x.git: /srv/x
"pypi:torch==2.11.0": ~/wheels/torch.whl
"""


def wrong(path: Path, text: str) -> tuple[Problem, ...]:
    with pytest.raises(ConfigurationError) as caught:
        load_mirrors(write(path / "mirrors.yaml", text))
    return caught.value.problems


def test_paths_start_at_the_folder_of_the_file_and_home_is_written_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/somebody")
    assert load_mirrors(write(tmp_path / "mirrors.yaml", GOOD)) == {
        "https://example.org/port": str(tmp_path / "port.git"),
        "git@example.org:group/x.git": "/srv/x",
        "pypi:torch==2.11.0": "/home/somebody/wheels/torch.whl",
    }


def test_relative_to_the_file_and_not_to_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sub").mkdir()
    write(tmp_path / "sub" / "mirrors.yaml", "https://example.org/x: ../x\n")
    monkeypatch.chdir(tmp_path)
    assert load_mirrors(Path("sub/mirrors.yaml")) == {"https://example.org/x": str(tmp_path / "sub" / "../x")}


def test_an_empty_file_names_no_mirrors(tmp_path: Path) -> None:
    assert load_mirrors(write(tmp_path / "mirrors.yaml", "# none yet\n")) == {}


def test_all_mistakes_at_once(tmp_path: Path) -> None:
    lines = ["ext::sh -c id: x", "https://a.org/a: 7", "https://a.org/b: [x]", "https://a.org/c:", "pypi:torch: y"]
    found = wrong(tmp_path, "\n".join(lines))
    assert [(problem.slug, problem.where.line if problem.where else 0) for problem in found] == [
        ("bad-mirror", 1),
        ("wrong-type", 2),
        ("wrong-type", 3),
        ("wrong-type", 4),
        ("bad-mirror", 5),
    ]


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("- a\n", "wrong-type"),
        ("https://example.org/a: x\nhttps://example.org/a: y\n", "duplicate-key"),
        ("https://example.org/a: !!python/name:os.system x\n", "yaml-unsupported"),
        ("a: [", "yaml-syntax"),
    ],
)
def test_files_that_are_wrong(tmp_path: Path, text: str, slug: str) -> None:
    assert wrong(tmp_path, text)[0].slug == slug


def test_a_token_in_a_wrong_place_is_not_repeated(tmp_path: Path) -> None:
    assert "hunter2" not in str(wrong(tmp_path, "https://u:hunter2@example.org/a: 7\n")[0])


def test_the_option_comes_before_the_variable(tmp_path: Path) -> None:
    one = str(write(tmp_path / "one.yaml", "https://example.org/x: /one\n"))
    two = str(write(tmp_path / "two.yaml", "https://example.org/x: /two\n"))
    assert mirrors_from(one, {"LEVERAGE_MIRRORS": two})["https://example.org/x"] == "/one"
    assert mirrors_from(None, {"LEVERAGE_MIRRORS": two})["https://example.org/x"] == "/two"
    assert mirrors_from(None, {"LEVERAGE_MIRRORS": ""}) == {}
    assert mirrors_from(None, {}) == {}


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="there is no file of mirrors here") as caught:
        mirrors_from(str(tmp_path / "none.yaml"), {})
    assert "LEVERAGE_MIRRORS" in caught.value.problems[0].hint
