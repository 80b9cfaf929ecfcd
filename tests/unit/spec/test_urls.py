from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from leverage.spec.urls import is_repository_url, redact


@pytest.mark.parametrize(
    ("url", "bare"),
    [
        ("https://example.org/x", "https://example.org/x"),
        ("https://user:secret@example.org/x", "https://example.org/x"),
        ("https://secret@example.org:8443/x?y#z", "https://example.org:8443/x?y#z"),
        ("https://user:se@cret@example.org/x", "https://example.org/x"),
        ("https://user:se/cret@example.org/x", "https://example.org/x"),
        ("https://user:se?cr#et@example.org/x", "https://example.org/x"),
        ("https://user:se cret@example.org/x", "https://example.org/x"),
        ("https://user:se\ncret@example.org/x", "https://example.org/x"),
        ("https://user%3Asecret@example.org", "https://example.org"),
        ("https://git@example.org/x", "https://example.org/x"),
        ("https://example.org/@scope/name@1.0", "https://example.org/@scope/name@1.0"),
        ("https://[::1]:80/a@b", "https://[::1]:80/a@b"),
        ("https://user:secret@[::1]/x", "https://[::1]/x"),
        ("ssh://git@example.org/x", "ssh://git@example.org/x"),
        ("ssh://git:secret@example.org/x", "ssh://example.org/x"),
        ("ssh://alice@example.org/x", "ssh://example.org/x"),
        ("git+ssh://git@example.org/x", "git+ssh://git@example.org/x"),
        ("git@example.org:a/b.git", "git@example.org:a/b.git"),
        ("alice@example.org:a/b.git", "example.org:a/b.git"),
        ("HTTPS://user:secret@example.org", "HTTPS://example.org"),
        ("https://example.org/x?access_token=secret&b=1", "https://example.org/x?access_token=…&b=1"),
        ("https://example.org/x?a=1&X-Amz-Signature=secret#f", "https://example.org/x?a=1&X-Amz-Signature=…#f"),
        ("../folder/x@y:z", "../folder/x@y:z"),
        ("C:/folder/x@y", "C:/folder/x@y"),
        ("pypi:torch==2.11.0", "pypi:torch==2.11.0"),
        ("", ""),
        (
            "fatal: cannot reach 'https://u:secret@a.org/x' nor https://secret@b.org/",
            "fatal: cannot reach 'https://a.org/x' nor https://b.org/",
        ),
        ("https://a.org/x: no, https://u:secret@b.org/y", "https://a.org/x: no, https://b.org/y"),
    ],
)
def test_credentials_are_taken_out(url: str, bare: str) -> None:
    assert redact(url) == bare


SECRET = st.text(alphabet="sS3_/?#@:% &=~!", min_size=1, max_size=12).map(lambda text: f"Q{text}Q")


@given(SECRET, st.sampled_from(["https", "http", "ssh", "git", "ftp"]))
def test_no_password_survives(secret: str, scheme: str) -> None:
    bare = redact(f"{scheme}://user:{secret}@example.org/x")
    assert "Q" not in bare
    assert bare.endswith("example.org/x")


@given(st.text())
def test_any_text(text: str) -> None:
    assert redact(redact(text)) == redact(text)


@pytest.mark.parametrize("url", ["https://a.org/x", "ssh://git@a.org/x", "git@a.org:x/y", "file:///x", "git://a.org/x"])
def test_urls_of_repositories(url: str) -> None:
    assert is_repository_url(url)


@pytest.mark.parametrize("text", ["", "x", "../x", "ext::id", "-u@h:p", "ssh://-o/x", "https://", "a b", "https://a\n"])
def test_what_is_no_url_of_a_repository(text: str) -> None:
    assert not is_repository_url(text)
