"""ParallelPool. Importing this package loads nothing: no plugin, no numpy, no compiled module."""

__version__ = "0.0.0"
