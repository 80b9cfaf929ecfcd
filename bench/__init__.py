"""Benchmarks: our figures beside those of other counters, from the same run; nothing here is asserted in tests."""
