"""What the project defines: modules, classes, functions and imports, read without running anything."""
