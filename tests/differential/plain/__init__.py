"""The library games written by hand, as a student would write them.

They share no code with the package and know nothing of documents, so that the
two answers to one question are independent.
"""
