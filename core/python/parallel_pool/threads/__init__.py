"""Threads: how many are right, where they run, and those that several pools share."""
