"""What there is to compute with."""
