"""The error that ends a verification before it has a verdict."""

from __future__ import annotations


class VerifyError(Exception):
    """A mistake that the user can mend: a target that does not exist, a bad shape, a device that is not there.

    The message is meant for the user and needs no traceback.
    """
