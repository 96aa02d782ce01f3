"""``python -m graph2static.convert`` is the ``g2s`` command."""

from .command import main

main()
