"""Touchpoints of a port judged against releases of its substrate; empty so far."""
