"""Programs: what the machine of the library runs, made by a tape and written as a text."""
