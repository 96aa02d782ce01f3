"""Reports: one module for each format."""
