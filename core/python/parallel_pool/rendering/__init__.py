"""Pictures: renderers, and the threads that draw."""
