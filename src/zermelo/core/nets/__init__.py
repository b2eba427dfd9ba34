"""Petri nets: their markings, what they mean, and how they run."""
