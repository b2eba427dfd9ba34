"""A good move within a budget, and random playouts."""
