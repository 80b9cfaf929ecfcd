"""Copied code: which lines of a port stand nearly verbatim in its substrate, found by alignment of statements.

`statements` reads a file into logical lines and the blocks (functions, classes, the rest) that hold them, `reference`
makes the substrate's blocks searchable by fingerprints, and `alignment` counts what two blocks have in common.
"""
