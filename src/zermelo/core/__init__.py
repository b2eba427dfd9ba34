"""The waist: what languages give, what engines ask for, and the records both speak in."""
