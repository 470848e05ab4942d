"""What the scripts beside this folder measure with: pools and their peers, stepped in turn."""
