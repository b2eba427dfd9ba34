"""LED programs: their values, what they mean, and how they run."""
