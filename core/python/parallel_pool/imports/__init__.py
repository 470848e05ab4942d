"""What imports need: once a module is there, without an interruption, and libraries that may be missing."""
