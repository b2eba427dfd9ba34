"""Pictures and files of graphs and nets: layouts, SVG, DOT, AUT, GraphML, JSON."""
