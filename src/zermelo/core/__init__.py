"""The waist: systems as data, and the interpreter that says what they mean."""
