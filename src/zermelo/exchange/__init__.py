"""Systems and graphs in and out of other programs."""
