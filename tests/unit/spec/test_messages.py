"""What a user reads, word for word: a change of these texts should be read aloud by somebody."""

from __future__ import annotations

import pytest
from leverage.model.errors import ConfigurationError
from tests.unit.spec.examples import load

DOCUMENT = """\
version: 1
title: ten mistakes
systems:
  port:
    role: extention
    source: {git: https://example.org/port, commit: 1234567}
    builds_on: base
    components:
      upper: {inclde: ["upper/**"], height: [tile_ir, graph]}
      lower: {include: ["../lower/**"]}
  base-2.11:
    role: substrate
    source: {pypi: base, version: 2.11}
  base-2.11:
    role: substrate
  Closed: {role: from_scratch, needed: a checkout}
  open: {role: from_scratch}
denominators:
  headline: {boundary: all, convention: clok}
"""

MESSAGE = """\
repos.yaml:5:5: `systems.port.role` cannot be the text `extention` [bad-value]
  what to do: did you mean `extension`?
repos.yaml:6:45: `systems.port.source.commit` is not quoted, and YAML reads it as the number `1234567` [bad-commit]
  why it matters: an id of digits, or of digits around an `e`, turns into a number, and the commit is lost
  what to do: quote it, and give all 40 hex digits
repos.yaml:7:5: there is no system `base` [unknown-reference]
  what to do: did you mean `base-2.11`?
repos.yaml:9:15: there is no key `inclde` in `systems.port.components.upper` [unknown-key]
  what to do: did you mean `include`?
repos.yaml:9:37: a component cannot lead upwards from `tile_ir` to `graph` [bad-height]
  what to do: write [graph, tile_ir]; the order is capture > graph > loop_ir > tile_ir > device_program > binary
repos.yaml:10:25: the pattern `../lower/**` holds the step `.` or `..` [bad-glob]
  what to do: write it from the root of the source, such as `src/**`
repos.yaml:13:26: `systems.base-2.11.source.version` must be text, and YAML reads this as the number `2.11` [wrong-type]
  what to do: quote it: "2.11"
repos.yaml:14:3: `base-2.11` stands here a second time; the first is in line 11 [duplicate-key]
  why it matters: of two equal keys one would be lost
  what to do: rename one, or delete it
repos.yaml:16:3: the id `Closed` is not a valid id [bad-id]
  why it matters: ids become file names, anchors in the page and keys of tables
  what to do: begin with a lower-case letter or digit; then also `.`, `_` and `-`
repos.yaml:17:3: `open` has neither a source nor a reported figure [no-source]
  why it matters: a system without bytes is shown as unknown, and with its reason
  what to do: add `source:`; for closed code `needed:`, what would be needed to measure it, and `reported:` if any
repos.yaml:19:29: there is no convention `clok` [unknown-reference]
  what to do: did you mean `cloc`?"""


def test_a_file_with_a_dozen_mistakes() -> None:
    with pytest.raises(ConfigurationError) as caught:
        load(DOCUMENT)
    assert str(caught.value) == MESSAGE
