"""From a tree to a program: names resolved, kinds, lints, repairs of printed programs."""
