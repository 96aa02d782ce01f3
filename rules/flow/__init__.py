"""The flow engine: abstract interpretation of the captured functions."""
