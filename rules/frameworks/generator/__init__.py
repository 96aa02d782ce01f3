"""How the tables about torch are made: signatures from the stubs, results and graph breaks from running torch itself."""
