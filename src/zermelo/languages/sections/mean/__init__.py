"""From a tree to a system: names resolved, types inferred, readings listed."""
