"""Denominators, ratios and verdicts, from tables alone; opens no files."""
