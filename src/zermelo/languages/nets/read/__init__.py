"""From the text of a net to what it means."""
