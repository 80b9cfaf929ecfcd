import unicodedata

from hypothesis import given
from hypothesis import strategies as st
from leverage.report.display import file_address, glob_root, name, prose, sentence, tree_address, visible, web_address

COMMIT = "e1abccf7033e1a8e399b971b8cb6e25e66d47708"


def test_what_cannot_be_seen_is_written_out() -> None:
    assert visible("a\nb") == "a⟨U+000A⟩b"
    assert visible("photo\u202egpj.py") == "photo⟨U+202E⟩gpj.py"
    assert visible("\udc80\udcff.py") == "⟨0x80⟩⟨0xFF⟩.py"
    assert visible("\ud800") == "⟨U+D800⟩"
    assert visible("zero\u200bwidth\ufeff") == "zero⟨U+200B⟩width⟨U+FEFF⟩"
    assert visible("\ufffe") == "⟨U+FFFE⟩"


def test_what_can_be_seen_stays() -> None:
    for text in ("plain/path_1.py", "表/ファイル.py", "naïve café", "a\u00a0b", "<script>", "\\n"):
        assert visible(text) == text


@given(st.text(st.characters(codec=None)))
def test_visible_text_is_one_encodable_line_without_surprises(text: str) -> None:
    shown = visible(text)
    shown.encode("utf-8")
    assert len(shown.splitlines()) <= 1
    assert not any(unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"} for char in shown)
    assert visible(shown) == shown


def test_long_names_are_cut_in_the_middle_and_say_so() -> None:
    shown = name("long/" * 1000)
    assert len(shown) < 200
    assert shown.startswith("long/long/")
    assert shown.endswith("long/ (5,000 characters)")
    assert name("short") == "short"


def test_prose_is_one_line() -> None:
    assert prose("one\n  two\r\n") == "one two"
    assert sentence("one") == "one."
    assert sentence("one!\n") == "one!"
    assert sentence("") == ""


def test_only_plain_web_addresses_are_linked() -> None:
    good = "https://github.com/torch-spyre/torch-spyre"
    assert web_address(good) == good
    for bad in (
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "//evil.example/x",
        "https://",
        "https://evil.example/\nx",
        'https://evil.example/"><script>',
        "https://[evil",
        "git@github.com:a/b",
        " https://a.example",
        "seed [11]",
        "",
    ):
        assert web_address(bad) == "", bad


def test_addresses_of_files_are_encoded_byte_by_byte() -> None:
    browse = f"https://github.com/a/b/blob/{COMMIT}/"
    assert file_address(browse, "x/é?#%.py") == f"{browse}x/%C3%A9%3F%23%25.py"
    assert file_address(browse, "\udc80'\"<") == f"{browse}%80%27%22%3C"
    assert file_address("", "x") == ""
    assert file_address("javascript:alert(1)//", "x") == ""


def test_directories_are_shown_as_trees() -> None:
    assert tree_address(f"https://github.com/a/b/blob/{COMMIT}/", "src") == f"https://github.com/a/b/tree/{COMMIT}/src"
    assert (
        tree_address(f"https://codeberg.org/a/b/src/commit/{COMMIT}/")
        == f"https://codeberg.org/a/b/src/commit/{COMMIT}/"
    )


def test_glob_root() -> None:
    assert glob_root("torch_spyre/_inductor/**") == "torch_spyre/_inductor"
    assert glob_root("/src/a.py") == "src"
    assert glob_root("**/*.py") == ""
    assert glob_root("lib/**/x/*.cpp") == ""
    assert glob_root("README.md") == ""
