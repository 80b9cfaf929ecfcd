from __future__ import annotations

import pytest
from tests.unit.spec.examples import GOOD, changed, only, problems


@pytest.mark.parametrize(
    ("old", "new", "line", "what", "hint"),
    [
        ("builds_on: base-2.11", "builds_on: base-2.12", 8, "there is no system `base-2.12`", "`base-2.11`?"),
        ("below: [second]", "below: [secnd]", 19, "there is no system `secnd`", "did you mean `second`?"),
        ("stands_in_for: closed", "stands_in_for: port2", 36, "there is no system `port2`", "did you mean `port`?"),
        ("over: port", "over: zzz", 33, "there is no system `zzz`", "systems here: `base-2.11`, `closed`, `open`"),
        ("{left: closed", "{left: close", 40, "there is no system `close`", "did you mean `closed`?"),
        ("right: port", "right: prt", 40, "there is no system `prt`", "did you mean `port`?"),
        ("headline: headline}", "headline: headlin}", 40, "there is no denominator `headlin`", "`headline`?"),
        ("[closed, port]", "[closed, ports]", 46, "there is no system `ports`", "did you mean `port`?"),
        (
            "exclude_components: [extension]",
            "exclude_components: [extensio]",
            11,
            "no component `extensio`",
            "`extension`?",
        ),
        ("{extension: [all]}", "{extension: [al]}", 39, "there is no component `al` in `open`", "did you mean `all`?"),
        ("base-2.11.inductor]", "base-2.11.induct]", 15, "no component `base-2.11.induct`", "`base-2.11.inductor`?"),
        ("base-2.11.inductor]", "base.inductor]", 15, "there is no component `base.inductor`", "`base-2.11.inductor`?"),
        (
            "boundary: with_substrate",
            "boundary: with_substrat",
            43,
            "declares the boundary `with_substrat`",
            "`with_substrate`?",
        ),
        ("convention: cloc", "convention: clok", 44, "there is no convention `clok`", "did you mean `cloc`?"),
        ("unit: bytes", "unit: bytes, convention: cloc", 43, "the unit here is `bytes`", "delete `convention`"),
        ("unit: bytes", "unit: bytes, copies: out", 43, "copies are lines, and the unit here is `bytes`", "count code"),
        (
            "port.extension.code",
            "port.extnsion.code",
            48,
            "nothing to measure called `port.extnsion.code`",
            "`port.extension.code`?",
        ),
        (
            "port.extension.code",
            "port.extension.lines",
            48,
            "there is no unit `lines`",
            "units: code, physical, nonblank",
        ),
        ("port.extension.code", "something", 48, "nothing to measure called `something`", "`system.component.unit`"),
        ("measure: undetermined_share", "measure: undetermined", 49, "called `undetermined`", "`undetermined_share`?"),
        ('at_most: "0.05"', "at_most: 5", 49, "a share is at most 1, and this is 5", "for five percent"),
        (
            "base-2.11.undetermined_share",
            "base.undetermined_share",
            50,
            "called `base.undet",
            "`base-2.11.undetermined_share`?",
        ),
        ("full: {}", "full: {default: true}", 18, "`full` is a second default profile beside `small`", "one of them"),
        ("stands_in_for: closed", "stands_in_for: open", 36, "`open` cannot stand in for itself", "cannot be measured"),
        ("right: port", "right: closed", 40, "`closed` is compared with itself", "two different systems"),
        ("value: 7,", "value: 0,", 33, "a ratio of 0 says nothing", "such as 7"),
        ('value: "6.5"', 'value: "0.00"', 46, "a ratio of 0 says nothing", "such as 7"),
        ("needed: a checkout of it", "vendor: x", 29, "does not say what would be needed", "add `needed: …`"),
        (
            "[graph, device_program]",
            "[device_program, graph]",
            38,
            "lead upwards from `device_program`",
            "write [graph, device_program]",
        ),
        ("[graph, device_program]", "[graph, graph]", 38, "ends at the height `graph` where it begins", "two heights"),
        (
            "[graph, device_program]",
            "[graph]",
            38,
            "the single height `graph` covers nothing",
            "such as [graph, tile_ir]",
        ),
        ("[graph, device_program]", "[graph, runtime]", 38, "the runtime stands beside the stack", "write [runtime]"),
        ("[runtime]", "[runtime, runtime]", 11, "the runtime stands beside the stack", "write [runtime]"),
    ],
)
def test_what_does_not_fit_together(old: str, new: str, line: int, what: str, hint: str) -> None:
    problem = only(changed(old, new))
    assert problem.where is not None
    assert problem.where.line == line
    assert what in problem.what
    assert hint in problem.hint


@pytest.mark.parametrize(
    "glob",
    [
        "../x",
        "a/../b",
        "./a",
        "/etc/passwd",
        "~/x",
        "C:/x",
        "a\\\\b",
        "!a",
        "#a",
        "a//b",
        "*.{c,h}",
        "a[",
        "a ",
        "a\\tb\\n",
        "/",
    ],
)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('["tests/**"]', '["{}"]'),
        ('["tests/**"]', '[a, b], exclude: [c, "{}"]'),
        ('exclude: ["port/extra/**"]', 'exclude: ["{}"]'),
    ],
)
def test_patterns_that_are_refused_wherever_they_stand(glob: str, old: str, new: str) -> None:
    text = changed(old, new.replace("{}", glob))
    found = [problem for problem in problems(text) if problem.slug == "bad-glob"]
    assert len(found) == 1
    assert found[0].hint


@pytest.mark.parametrize(
    "url",
    [
        "ext::sh -c id",
        "--upload-pack=id",
        "../x",
        "/srv/x",
        "https://",
        "ssh://-oProxyCommand=id/x",
        "-x@host:y",
        "a b",
    ],
)
@pytest.mark.parametrize("old", ["git: https://example.org/port", "also: [https://example.net/port"])
def test_urls_that_git_must_not_be_given(url: str, old: str) -> None:
    problem = only(changed(old, old.split("https", maxsplit=1)[0] + f'"{url}"'))
    assert problem.slug == "bad-url"


@pytest.mark.parametrize(
    "url", ["https://example.org/x.git", "ssh://git@example.org:22/x", "git@example.org:group/x.git", "file:///srv/x"]
)
def test_urls_that_git_may_be_given(url: str) -> None:
    # The only thing wrong is the title, so that the document is seen to be read to the end.
    text = changed("git: https://example.org/port", f'git: "{url}"').replace("title: A port", "titel: A port")
    assert only(text).slug == "unknown-key"


def test_credentials_in_a_wrong_url_are_not_repeated() -> None:
    problem = only(changed("git: https://example.org/port", 'git: "ext::https://user:hunter2@example.org/x y"'))
    assert "hunter2" not in str(problem)


def test_a_system_without_bytes_says_so() -> None:
    problem = only(
        changed("needed: a checkout of it\n    reported:\n", "note: x\n    below:\n").replace(
            "      - {figure: size_ratio, over: port, value: 7, by: Example, source: a talk}\n", "      - second\n"
        )
    )
    assert problem.what == "`closed` has neither a source nor a reported figure"
    assert "`needed:`" in problem.hint


@pytest.mark.parametrize(
    ("edges", "said"),
    [
        ({"a": "b", "b": "a"}, ["a -> b -> a"]),
        ({"a": "a"}, ["a -> a"]),
        ({"a": "b", "b": "c", "c": "b"}, ["b -> c -> b"]),
        ({"a": "b, c", "b": "d", "c": "d", "d": ""}, []),
        ({"a": "b", "b": "a", "c": "d", "d": "c"}, ["a -> b -> a", "c -> d -> c"]),
    ],
)
@pytest.mark.parametrize("key", ["below", "exclude_components"])
def test_references_that_go_round_in_a_circle(edges: dict[str, str], said: list[str], key: str) -> None:
    lines = [f"{name}: {{NEED, {key}: [{targets}]}}" for name, targets in edges.items()]
    if key == "below":
        body = "systems:\n" + "".join(f"  {line}\n" for line in lines).replace("NEED", "role: extension, needed: x")
    else:
        body = "systems:\n  s:\n    role: extension\n    source: {path: x}\n    components:\n" + "".join(
            f"      {line}\n" for line in lines
        ).replace("NEED", "include: [x]")
    # A title that is missing makes both cases end in an error.
    found = [problem.what for problem in problems(f"version: 1\n{body}") if problem.slug == "cycle"]
    assert found == [f"`{key}` goes round in a circle: {circle}" for circle in said]


def test_a_chain_of_thousands_is_no_circle_and_no_recursion() -> None:
    body = "".join(f"  s{n}: {{role: extension, needed: x, builds_on: s{n + 1}}}\n" for n in range(3000))
    text = f"version: 1\ntitle: x\nsystems:\n{body}  s3000: {{role: extension, needed: x, builds_on: s0}}\n"
    problem = only(text)
    assert problem.slug == "cycle"
    assert problem.what.endswith("s0 -> s1 -> s2 -> s3 -> s4 -> s5 -> s6 -> s7 -> … -> s0")


def test_everything_at_once_in_the_order_of_the_file() -> None:
    text = (
        GOOD.replace("builds_on: base-2.11", "builds_on: bose")
        .replace("over: port", "over: prt")
        .replace("headline: headline", "headline: x")
    )
    assert [problem.where.line for problem in problems(text) if problem.where] == [8, 33, 40]
