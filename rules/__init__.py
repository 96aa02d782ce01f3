"""The analyzer: what blocks graph capture in a source tree, and why it is believed to."""
