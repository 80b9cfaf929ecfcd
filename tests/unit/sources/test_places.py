"""URLs, places and the words that messages use for them."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st
from leverage.model.errors import ConfigurationError
from leverage.sources.blobid import blob_id, content_id
from leverage.sources.places import local_part, mirror_of, normalized, place_key, refuse_unsafe, store_name
from leverage.sources.wording import LONGEST, secrets_of, shown


@pytest.mark.parametrize(
    "url",
    [
        "https://host/owner/name",
        "https://user:p%40ss@host:8443/owner/name.git",
        "http://127.0.0.1:8000/x",
        "ssh://git@host/owner/name",
        "git@host:owner/name.git",
        "host:path",
        "git://host/x",
        "file:///srv/x y",
        "../relative",
        "/absolute/with space/ümlaut",
        "~/home",
        "https://[::1]:80/x",
        "https://host/a--b/-c",
    ],
)
def test_ordinary_places_pass(url: str) -> None:
    refuse_unsafe(url)


def test_a_refusal_does_not_repeat_a_password() -> None:
    with pytest.raises(ConfigurationError) as caught:
        refuse_unsafe("ftp://ann:s3cret@host/x")
    assert "s3cret" not in str(caught.value)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("/a/b", "/a/b"),
        ("a/b:c", "a/b:c"),
        ("file:///a%20b", "/a b"),
        ("host:path", None),
        ("git@host:path", None),
        ("https://host/x", None),
        ("ext::x", None),
    ],
)
def test_what_is_a_local_path(url: str, path: str | None) -> None:
    assert local_part(url) == path


def test_one_place_has_one_key_and_one_name() -> None:
    spellings = ["https://h/o/n", "https://h/o/n.git", "https://h/o/n/", "https://me:secret@h/o/n.git"]
    assert {place_key(url) for url in spellings} == {"https://h/o/n"}
    assert len({store_name(url) for url in spellings}) == 1
    assert store_name("https://h/o/m") != store_name("https://h/o/n")
    assert place_key("pypi:Torch_NPU==2.11.0") == place_key("pypi:torch-npu==2.11.0")
    assert normalized("A._-b") == "a-b"


def test_mirrors() -> None:
    mirrors = {"https://h/o/n.git": "/n", "pypi:torch_npu==1": "/w", "https://h/o/n": "/exact"}
    assert mirror_of("https://h/o/n", mirrors) == "/exact"
    assert mirror_of("https://x@h/o/n/", mirrors) == "/n"
    assert mirror_of("pypi:torch-npu==1", mirrors) == "/w"
    assert mirror_of("https://h/o", mirrors) is None


def test_secrets_of_a_url() -> None:
    assert set(secrets_of("https://ann:s3cr%2Fet@h/x")) == {"s3cr%2Fet", "s3cr/et"}
    assert secrets_of("https://ghp_token@h/x") == ("ghp_token",)
    assert secrets_of("ssh://git@h/x") == ()


def test_shown_text_is_one_short_line_without_secrets() -> None:
    text = "fatal: 'https://ann:s3cret@h/x'\n\x1b[31m s3cret \u202e" + "y" * 1000
    safe = shown(text, without=("s3cret",))
    assert "s3cret" not in safe
    assert "ann" not in safe
    assert safe.isprintable()
    assert len(safe) <= LONGEST + 40  # escapes are longer than what they stand for


@given(st.text())
def test_shown_text_is_printable_whatever_it_was(text: str) -> None:
    assert shown(text).isprintable()


@given(st.binary(max_size=200))
def test_blob_ids_are_gits(data: bytes) -> None:
    hashed = subprocess.run(["git", "hash-object", "--stdin"], input=data, capture_output=True, check=True)
    assert blob_id(data) == hashed.stdout.decode().strip()


PAIRS = st.dictionaries(st.text(max_size=5), st.sampled_from(["a" * 40, "b" * 40, "c" * 40]), max_size=6)


@given(PAIRS, PAIRS)
def test_content_ids_are_equal_exactly_for_equal_content(one: dict[str, str], two: dict[str, str]) -> None:
    one = {path: blob for path, blob in one.items() if path.isprintable()}
    two = {path: blob for path, blob in two.items() if path.isprintable()}
    assert (content_id(one.items()) == content_id(two.items())) == (one == two)
    assert content_id(reversed(one.items())) == content_id(one.items())


def test_a_content_id_that_was_worked_out_by_hand() -> None:
    # printf '1 a %s\n' e69de29bb2d1d6434b8b29ae775ad8c2e48c5391 | sha256sum
    expected = "77416e8b1d45b56377a4f6aacd6789300f517d65e8cb72ebb6034513082da994"
    assert content_id([("a", blob_id(b""))]) == f"content:{expected}"


def test_names_that_could_be_confused_are_not() -> None:
    blob = "a" * 40
    assert content_id([("a", blob), ("b", blob)]) != content_id([(f"a {blob}\n1 b", blob)])
