"""Imports: of libraries that may be missing, without interruptions, and calls that follow an import."""
