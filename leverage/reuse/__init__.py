"""What a port reuses of its substrate, statically and by running; empty so far."""
