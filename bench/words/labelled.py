"""Files whose stage and divergence are known: those that packs decide, and those of ``labels.yaml``."""

from __future__ import annotations

import subprocess
import zipfile
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from leverage.classify.pack import load_pack
from leverage.classify.reading import read_file
from leverage.measure.languages import Choice, Context, Kind, by_path, languages
from leverage.measure.scan import measure_bytes
from leverage.measure.units import has_units
from leverage.model.decisions import Purpose
from leverage.spec.globs import Globs
from leverage.spec.load import load_spec
from leverage.spec.select import Selector
from leverage.spec.types import GitSource
from ruamel.yaml import YAML

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from leverage.classify.words import Words

    Label = tuple[str, str]

LABELS = Path(__file__).with_name("labels.yaml")
MOST_BYTES = 2_000_000  # of a file; tables made by programs teach nothing
LEAST_CODE = 3  # lines of a unit
VENDORS = {
    "torch-spyre": "IBM",
    "spyre-dataflow-scheduler": "IBM",
    "spyre-dataflow-dialects": "IBM",
    "spyre-ktir-frontend": "IBM",
    "spyre-triton": "IBM",
    "onnx-mlir": "ONNX-MLIR",
    "torch-npu": "Huawei",
    "triton-ascend": "Huawei",
    "torch-musa": "Moore Threads",
    "tt-buda": "Tenstorrent",
    "glow": "Glow",
    "torch-2.11": "PyTorch",
}
"""Who wrote the systems that have packs; the wheel of the substrate is read too, for its own stages are known best."""


@dataclass(frozen=True, slots=True)
class Document:
    """Units of one file with one label, as one piece.

    Attributes:
        system: name of the system.
        vendor: who wrote it.
        path: its file.
        stage: what it is known to be.
        divergence: likewise; ``-`` where that is not known.
        words: of the file around it and of its units.
        lines: lines of code.
        units: number of units.
    """

    system: str
    vendor: str
    path: str
    stage: str
    divergence: str
    words: Words
    lines: int
    units: int


def documents(mirrors: Path, wheel: Path) -> list[Document]:
    """Every document of every system.

    Args:
        mirrors: folder with a bare repository ``OWNER+NAME/repo`` for each repository.
        wheel: wheel of the substrate at the version of ``repos.yaml``.
    """
    names = [*VENDORS, *YAML(typ="safe").load(LABELS.read_text(encoding="utf-8"))]
    with ProcessPoolExecutor() as pool:
        return [each for found in pool.map(partial(_documents, mirrors, wheel), names) for each in found]


def _documents(mirrors: Path, wheel: Path, name: str) -> list[Document]:
    labels: dict[str, Any] = YAML(typ="safe").load(LABELS.read_text(encoding="utf-8"))
    if name in labels:
        entry = labels[name]
        rules = [(Globs((glob,)), (stage, divergence)) for glob, stage, divergence in entry["rules"]]

        def by_labels(path: str, _symbol: str) -> Label | None:
            label = next((label for globs, label in rules if path in globs), None)
            return label if label and label[0] else None

        files = _of_git(_mirror(mirrors, entry["repository"], entry["commit"]), entry["commit"])
        return list(_divided(name, entry["vendor"], files, by_labels))
    system = load_spec(Path("repos.yaml")).spec.systems[name]
    selector, pack = Selector(system), load_pack(system.pack or name)

    def by_pack(path: str, symbol: str) -> Label | None:
        component = selector.component(path)
        if component is None or system.components[component].purpose is not Purpose.PRODUCTION:
            return None
        rules = pack.reaching(path, symbol)
        return (rules[0].stage, rules[0].divergence) if rules else None

    if isinstance(system.source, GitSource):
        files = _of_git(_mirror(mirrors, system.source.git, system.source.commit), system.source.commit)
    else:
        files = _of_wheel(wheel)
    return list(_divided(name, VENDORS[name], files, by_pack))


def _mirror(mirrors: Path, repository: str, commit: str) -> Path:
    """The mirror that has a commit: of the repository itself, else of a fork of the same name."""
    owner, name = repository.removesuffix(".git").split("/")[-2:]
    for place in (mirrors / f"{owner}+{name}" / "repo", *sorted(mirrors.glob(f"*+{name}/repo"))):
        asked = ["git", f"--git-dir={place}", "cat-file", "-e", commit]
        if place.exists() and subprocess.run(asked, capture_output=True, check=False).returncode == 0:
            return place
    raise FileNotFoundError(f"no mirror in {mirrors} has commit {commit} of {repository}")


def _of_git(place: Path, commit: str) -> Iterator[tuple[str, bytes]]:
    git = ["git", f"--git-dir={place}"]
    listed = subprocess.run([*git, "ls-tree", "-r", "-z", commit], capture_output=True, check=True).stdout
    blobs = [line.split(b"\t", 1) for line in listed.split(b"\0") if line and line.split()[1] == b"blob"]
    with subprocess.Popen([*git, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reader:
        assert reader.stdin
        assert reader.stdout
        for meta, path in blobs:
            reader.stdin.write(meta.split()[2] + b"\n")
            reader.stdin.flush()
            head = reader.stdout.readline().split()
            if head[-1] == b"missing":  # of a mirror that left out what is large
                continue
            data = reader.stdout.read(int(head[2]))
            reader.stdout.read(1)
            yield path.decode("utf-8", "surrogateescape"), data
        reader.stdin.close()


def _of_wheel(wheel: Path) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if name.startswith("torch/_inductor/") and name.endswith(".py"):
                yield name, archive.read(name)


def _divided(
    system: str, vendor: str, files: Iterator[tuple[str, bytes]], label: Callable[[str, str], Label | None]
) -> Iterator[Document]:
    context = Context.of(())
    for path, data in files:
        asked = by_path(path, context)
        if len(data) > MOST_BYTES or (isinstance(asked, Choice) and not has_units(asked.language)):
            continue
        language = measure_bytes(data, asked).language
        if not has_units(language) or languages()[language].kind is not Kind.PROGRAMMING:
            continue
        read = read_file(path, language, data)
        pieces: defaultdict[Label, list[int]] = defaultdict(list)
        for number, unit in enumerate(read.units.units):
            known = label(path, unit.symbol)
            if known and unit.lines.code + unit.lines.string + unit.lines.bracket >= LEAST_CODE:
                pieces[known].append(number)
        for (stage, divergence), numbers in pieces.items():
            words = Counter(read.words.around)
            for number in numbers:
                words.update(read.words.units[number])
            lines = sum(read.units.units[number].lines.code for number in numbers)
            yield Document(system, vendor, path, stage, divergence, dict(words), lines, len(numbers))
