"""Nets as compiled code on packed markings."""
