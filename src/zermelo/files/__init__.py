"""What is kept on disk: written whole, sealed with what it belongs to, locked while in use."""
