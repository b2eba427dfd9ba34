"""What holds in every reachable state of a system, proved from its rules."""
