"""Frozen value types that every layer shares. No I/O, no third-party imports."""
