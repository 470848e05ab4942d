"""The conformance kit for plugins, and the commands `parallel-pool new`, `dev` and `check`.

For authors of plugins; users of one do without it. See docs/writing-a-plugin.md.
"""
