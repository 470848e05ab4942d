"""Pictures: who draws them, and in which thread."""
