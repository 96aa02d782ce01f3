"""The program: command line, rewriting and reports."""
