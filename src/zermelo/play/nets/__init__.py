"""Nets at the keyboard: the shell over a graph, and the token game by hand."""
