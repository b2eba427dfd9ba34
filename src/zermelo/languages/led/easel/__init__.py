"""Easel: LED programs frame by frame, drawn, questioned, and run from a list of inputs."""
