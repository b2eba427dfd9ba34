"""What an LED program means."""
