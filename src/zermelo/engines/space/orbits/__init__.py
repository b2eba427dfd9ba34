"""Symmetries in use: one state stands for all that are alike."""
