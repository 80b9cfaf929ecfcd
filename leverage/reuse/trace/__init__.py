"""Traces: which lines of a port and of its substrate run while a program runs, typically while it compiles a model.

`running` runs a command with a tracer in every Python process, `executable` says which lines could run, `values` are
the results, which can be united and summed, and `files` keeps them.
"""
