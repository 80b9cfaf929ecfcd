"""From results to files: page, Markdown, JSON, CSV. Every renderer sees only the view of format 1."""
