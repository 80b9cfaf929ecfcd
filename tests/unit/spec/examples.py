"""Documents that several tests share."""

from pathlib import Path

import pytest
from leverage.model.errors import ConfigurationError, Problem
from leverage.spec.load import LoadedSpec, parse_spec

COMMIT = "0123456789abcdef0123456789abcdef01234567"
CONVENTIONS = frozenset({"leverage", "cloc", "pygount"})

GOOD = f"""\
version: 1
title: A port against its predecessor
systems:
  port:
    role: extension
    vendor: Example
    source: {{git: https://example.org/port, commit: "{COMMIT}", ref: main, also: [https://example.net/port]}}
    builds_on: base-2.11
    components:
      extension: {{include: ["port/_inductor/**"], height: [graph, tile_ir]}}
      plugin: {{include: ["port/**"], exclude_components: [extension], height: [runtime]}}
      tests: {{include: ["tests/**"], purpose: test}}
    boundaries:
      extension: [extension]
      with_substrate: [extension, base-2.11.inductor]
    profiles:
      small: {{exclude: ["port/extra/**"], default: true}}
      full: {{}}
    below: [second]
  base-2.11:
    role: substrate
    source: {{pypi: base, version: 2.11.0}}
    components:
      inductor: {{include: ["base/_inductor/**/*.py"], height: [graph, tile_ir]}}
  second:
    role: second_stage
    source: {{path: ../second, commit: "{COMMIT}"}}
    components: {{all: {{include: ["**"]}}}}
  closed:
    role: from_scratch
    needed: a checkout of it
    reported:
      - {{figure: size_ratio, over: port, value: 7, by: Example, source: a talk}}
  open:
    role: from_scratch
    stands_in_for: closed
    source: {{path: ~/open}}
    components: {{all: {{include: ["src"], height: [graph, device_program]}}}}
    boundaries: {{extension: [all]}}
compare: {{left: closed, right: port, headline: headline}}
denominators:
  headline: {{boundary: extension}}
  bytes: {{boundary: with_substrate, unit: bytes, languages: all, purposes: [production, test]}}
  cloc: {{boundary: extension, convention: cloc}}
claims:
  seven: {{text: roughly 7x, wording: paraphrase, by: Example, source: a talk, ratio_of: [closed, port], value: "6.5"}}
budgets:
  - {{measure: port.extension.code, at_most: 15000}}
  - {{measure: undetermined_share, at_most: "0.05"}}
  - {{measure: base-2.11.undetermined_share, at_most: 0}}
  - {{measure: base-2.11.inductor.files, at_most: 300}}
"""


def load(text: str | bytes, file: str = "repos.yaml") -> LoadedSpec:
    return parse_spec(text.encode() if isinstance(text, str) else text, file, CONVENTIONS)


def problems(text: str | bytes) -> tuple[Problem, ...]:
    with pytest.raises(ConfigurationError) as caught:
        load(text)
    return caught.value.problems


def only(text: str | bytes) -> Problem:
    found = problems(text)
    assert len(found) == 1, "\n".join(map(str, found))
    return found[0]


def changed(old: str, new: str) -> str:
    """The good document with one place changed."""
    assert GOOD.count(old) == 1, f"{old!r} stands {GOOD.count(old)} times"
    return GOOD.replace(old, new)


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path
