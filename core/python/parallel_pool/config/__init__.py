"""What a pool is to be: arguments, options, checks. Nothing is built here."""
