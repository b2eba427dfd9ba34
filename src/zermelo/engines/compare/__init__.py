"""Whether two models are the same game: on moves, on who is in turn, and on outcomes."""
