"""Which compiler stage and which departure from GPU assumptions a piece of code belongs to, and why."""
