"""Touchpoints of a port: totals, what is new, and what its substrate has of them."""
