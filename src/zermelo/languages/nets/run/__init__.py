"""The token game: expressions, bindings, markings."""
