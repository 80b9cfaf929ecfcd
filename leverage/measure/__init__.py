"""From bytes to facts: language, disposition, counts. Knows no stages and no claims."""
