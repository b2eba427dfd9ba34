"""A net as a game: who plays it, who wins, and how its board looks, said from outside."""
