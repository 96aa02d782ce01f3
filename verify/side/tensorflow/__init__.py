"""The sides of a TensorFlow target, and their judge. Only these modules import TensorFlow, and they never import torch."""
