"""The line rule: one scanner per language family gives every physical line exactly one class."""
