"""Random numbers: the same seed on every side."""

from __future__ import annotations

import random

from .api import np, tf


def seed_everything(seed: int) -> None:
    """Seed TensorFlow, ``random`` and numpy; Keras draws its seeds from ``random``."""
    tf.random.set_seed(seed)
    seed_python(seed)


def seed_python(seed: int) -> None:
    """Seed ``random`` and numpy alone: seeding TensorFlow makes a graph draw the same again, and throws away what is ready to run."""
    random.seed(seed)
    np.random.seed(seed % 2**32)
