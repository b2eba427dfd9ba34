"""Expressions and names: what each stands for, and its type."""
