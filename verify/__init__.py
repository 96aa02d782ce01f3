"""The verifier: eager against converted against compiled."""
