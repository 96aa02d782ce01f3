"""Rewrites of what TensorFlow cannot capture."""
