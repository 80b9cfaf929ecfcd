"""Score counters on the public corpora of three other projects, each under the convention of its owner.

    python -m bench.corpora [--tokei CLONE] [--ohcount CLONE] [--cloc CLONE] [--cases]

The clones may be bare; files are read from git objects and nothing of them is kept but the score. A case is shown to
every counter by its name and its bytes alone.

tokei (tests/data, tests/embedding): the text states lines, code, comments and blanks; ours is the ``tokei`` convention.

ohcount (test/expected_dir beside test/src_dir): one label a line, language and code, comment or blank; ours is the
mapping `OHCOUNT`. Cases of which only one side is there are left out. Four of the rest state a number of lines that the
text has not (cobol1.cbl, components.cu, english.st, ts1.ts): nobody who counts every line can be right there.

cloc (the list in Unix/t/00_C.t, tests/inputs beside tests/outputs): every case of one file and no option; the sum kept
for it is cloc's own output. Ours is the ``cloc`` convention.

A case is *exact* when code, comment and blank lines are all as stated. Each peer is scored by its own numbers, which is
how the corpora have been used by others; for the
owner the corpus is its own.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from leverage import __version__
from leverage.measure.content import language_of
from leverage.measure.conventions import CONVENTIONS, Part
from leverage.measure.languages import Context
from leverage.measure.scan import measure_bytes
from leverage.model.lines import LineClass, LineCounts
from leverage.sources.target import open_target

from bench import machine
from bench.peers import Counts, peers

if TYPE_CHECKING:
    from collections.abc import Mapping

Projection = Callable[[str, LineCounts], Counts]

OHCOUNT = {
    **dict.fromkeys(LineClass, "comment"),  # documentation, directives and shebang lines are comments to it
    LineClass.CODE: "code",
    LineClass.STRING: "code",
    LineClass.BRACKET: "code",
    LineClass.INACTIVE: "code",
    LineClass.BLANK: "blank",
    LineClass.BLANK_IN_DOCUMENTATION: "blank",
    LineClass.BLANK_IN_STRING: "blank",
}
"""What ohcount calls each line class: white space is blank wherever it stands; there is no class but its three."""


@dataclass(frozen=True, slots=True)
class Case:
    """A text and what its owner says of it."""

    name: str
    data: bytes
    stated: Counts


@dataclass(frozen=True, slots=True)
class Score:
    """Cases in all, those that were counted, those with all three numbers right, those with the code number right."""

    cases: int
    counted: int
    exact: int
    code: int


_STATED = {part: re.compile(rb"(\d+) " + part) for part in (b"code", b"comments", b"blanks")}


def stated(data: bytes) -> Counts | None:
    """What a text of tokei's corpus says of itself: the first number of each kind; None where it says nothing."""
    found = [pattern.search(data) for pattern in _STATED.values()]
    return Counts(*(int(match[1]) for match in found if match)) if all(found) else None


def labelled(data: bytes) -> Counts:
    """The sums of ohcount's labels, one a line: language, kind, text, with tabs between."""
    kinds = Counter(line.split(b"\t")[1] for line in data.split(b"\n") if line.count(b"\t") > 1)
    return Counts(kinds[b"code"], kinds[b"comment"], kinds[b"blank"])


def files(clone: str, below: str) -> dict[str, bytes]:
    """Every file below a folder of a clone's last commit, by its path from there."""
    with open_target(f"{clone}@HEAD").source as source:
        wanted = [file for file in source.snapshot.files if file.path.startswith(f"{below}/")]
        return {
            file.path.removeprefix(f"{below}/"): data for file, data in source.read(wanted) if isinstance(data, bytes)
        }


def tokei_cases(clone: str) -> list[Case]:
    """The corpus of tokei."""
    found = {**files(clone, "tests/data"), **files(clone, "tests/embedding")}
    said = {name: stated(data) for name, data in found.items()}
    return [Case(name, found[name], counts) for name, counts in sorted(said.items()) if counts]


def ohcount_cases(clone: str) -> list[Case]:
    """The corpus of ohcount."""
    texts, labels = files(clone, "test/src_dir"), files(clone, "test/expected_dir")
    names = sorted(texts.keys() & labels.keys())
    return [Case(name, texts[name], labelled(labels[name])) for name in names]


_CLOC_CASE = re.compile(rb"'ref'\s*=>\s*'\.\./tests/outputs/([^']+)',\s*'args'\s*=>\s*'\.\./tests/inputs/([^' /]+)'")
_CLOC_SUM = re.compile(rb"^SUM: *\n +blank: (\d+)\n +comment: (\d+)\n +code: (\d+)", re.MULTILINE)


def cloc_cases(clone: str) -> list[Case]:
    """The corpus of cloc."""
    texts, outputs = files(clone, "tests/inputs"), files(clone, "tests/outputs")
    listed = {text.decode(): output.decode() for output, text in _CLOC_CASE.findall(files(clone, "Unix/t")["00_C.t"])}
    cases = []
    for name in sorted(listed.keys() & texts.keys()):
        if found := _CLOC_SUM.search(outputs.get(listed[name], b"")):
            blank, comment, code = map(int, found.groups())
            cases.append(Case(name, texts[name], Counts(code, comment, blank)))
    return cases


def by_convention(name: str) -> Projection:
    """Our classes under a convention, for languages that the tool came to know later, too."""
    rule = CONVENTIONS[name]

    def projected(language: str, lines: LineCounts) -> Counts:
        sums: Counter[Part] = Counter()
        for one in LineClass:
            sums[rule.part(language, one)] += lines[one]
        return Counts(sums[Part.CODE], sums[Part.COMMENT] + sums[Part.DOCUMENTATION], sums[Part.BLANK])

    return projected


def as_ohcount(_language: str, lines: LineCounts) -> Counts:
    """Our classes under `OHCOUNT`."""
    sums: Counter[str] = Counter()
    for one in LineClass:
        sums[OHCOUNT[one]] += lines[one]
    return Counts(sums["code"], sums["comment"], sums["blank"])


def ours(cases: list[Case], projection: Projection) -> dict[str, Counts]:
    """What leverage counts, for the cases whose language it knows."""
    found = {}
    for case in cases:
        choice = language_of(case.name, case.data, Context())
        measured = measure_bytes(case.data, choice)
        if measured.lines is not None:
            found[case.name] = projection(measured.language, measured.lines)
    return found


def score(cases: list[Case], found: Mapping[str, Counts]) -> Score:
    """How often a counter is right."""
    answered = [(case.stated, found[case.name]) for case in cases if case.name in found]
    return Score(
        len(cases),
        len(answered),
        sum(answer == truth for truth, answer in answered),
        sum(answer.code == truth.code for truth, answer in answered),
    )


def scores(cases: list[Case], projection: Projection) -> tuple[dict[str, Score], dict[str, Counts]]:
    """The score of leverage and of every peer, and what leverage counts."""
    found = ours(cases, projection)
    result = {f"leverage {__version__}": score(cases, found)}
    with tempfile.TemporaryDirectory(prefix="leverage-bench-") as name:
        folder = Path(name).resolve() / "corpus"
        folder.mkdir()
        for case in cases:
            (folder / case.name).write_bytes(case.data)
        for peer in peers().values():
            result[f"{peer.name} {peer.version}"] = score(cases, peer.count(folder))
    return result, found


def differences(cases: list[Case], found: Mapping[str, Counts]) -> list[str]:
    """A line for each case in which leverage differs from what is stated."""
    lines = []
    for case in cases:
        answer = found.get(case.name)
        if answer != case.stated:
            lines.append(f"  {case.name}: {answer or 'language unknown'}, stated {case.stated}")
    return lines


CORPORA = {
    "tokei": ("XAMPPRocky/tokei", tokei_cases, by_convention("tokei")),
    "ohcount": ("blackducksoftware/ohcount", ohcount_cases, as_ohcount),
    "cloc": ("AlDanial/cloc", cloc_cases, by_convention("cloc")),
}


def main() -> None:
    """Score, print, keep the result."""
    parser = argparse.ArgumentParser(description="Score counters on public corpora.")
    for name, (owner, _, _) in CORPORA.items():
        parser.add_argument(f"--{name}", metavar="CLONE", help=f"of github.com/{owner}")
    parser.add_argument("--cases", action="store_true", help="list every case in which leverage differs")
    options = parser.parse_args()
    result = {}
    for name, (_, read, projection) in CORPORA.items():
        clone = getattr(options, name)
        if not clone:
            continue
        cases = read(clone)
        commit = open_target(f"{clone}@HEAD").source.snapshot.pin.id
        table, found = scores(cases, projection)
        print(f"{name} at {commit[:12]}: counted / exact / code exact, of {len(cases)} cases")
        for counter, one in table.items():
            print(f"  {counter:40} {one.counted:4} / {one.exact:3} / {one.code:3}")
        if options.cases:
            print("\n".join(differences(cases, found)))
        result[name] = {
            "commit": commit,
            "cases": len(cases),
            "scores": {
                counter: {"counted": one.counted, "exact": one.exact, "code_exact": one.code}
                for counter, one in table.items()
            },
        }
    print(f"kept as bench/results/{machine.write('corpora', {'corpora': result}).name}", file=sys.stderr)


if __name__ == "__main__":
    main()
