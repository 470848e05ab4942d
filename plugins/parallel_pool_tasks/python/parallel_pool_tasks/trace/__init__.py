"""Calls a task's methods once with values that record what is done to them: the program that C++ runs."""
