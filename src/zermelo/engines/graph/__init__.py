"""The reachability graph: nodes, arcs, strongly connected components."""
