"""What rewrites need to know: purity, totality, shapes and dtypes of expressions, and builders for the new code."""
