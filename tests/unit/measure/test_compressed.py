from __future__ import annotations

import hashlib

import zstandard
from hypothesis import given
from hypothesis import strategies as st
from leverage.measure.compressed import LEVEL, LIBRARY, compressed_size, compression


def test_the_figure_s_maker_is_the_one_that_is_documented() -> None:
    assert zstandard.ZSTD_VERSION == LIBRARY
    assert compression() == "zstd 1.5.7 level 12"


def test_sizes_by_hand() -> None:
    """4 bytes magic, 1 descriptor, 1 content size, 3 block header, and the content as it is."""
    assert compressed_size(b"") == 0
    assert compressed_size(b"a") == 4 + 1 + 1 + 3 + 1
    assert compressed_size(b"abcdefgh") == 9 + 8


def test_repetition_weighs_little_and_noise_its_size() -> None:
    assert compressed_size(b"int f();\n" * 10_000) < 100
    noise = b"".join(hashlib.sha256(bytes((n,))).digest() for n in range(256))
    assert len(noise) < compressed_size(noise) < len(noise) + 20


@given(st.binary(max_size=2_000))
def test_the_frame_holds_the_content(data: bytes) -> None:
    frame = zstandard.ZstdCompressor(level=LEVEL).compress(data)
    assert compressed_size(data) == (len(frame) if data else 0)
    assert compressed_size(data) == compressed_size(data)
    assert zstandard.ZstdDecompressor().decompress(frame) == data
