"""What a Petri net means."""
