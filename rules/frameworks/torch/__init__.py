"""Tables about torch."""
