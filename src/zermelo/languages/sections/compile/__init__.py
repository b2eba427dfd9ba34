"""Systems as compiled code on packed states."""
