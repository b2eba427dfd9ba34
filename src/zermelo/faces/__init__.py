"""Where people meet the program, and the only place that prints."""
