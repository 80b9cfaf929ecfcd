"""Code size and leverage of compiler ports, with explicit denominators."""

__version__ = "0.1.0"
