"""Compiled loops and exact stores of packed states; knows no games."""
