"""What TensorFlow adds to the interpreter: its tensors, AutoGraph, Keras, and what its callables give back."""
