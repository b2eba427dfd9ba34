"""The value of every reachable state under perfect play, and files of solutions."""
