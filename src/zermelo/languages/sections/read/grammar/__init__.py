"""Formulas and statements: symbols, tokens, trees and their printed form."""
