"""The generated tables about TensorFlow."""
