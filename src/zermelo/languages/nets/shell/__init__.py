"""A shell over the reachability graph of a net."""
