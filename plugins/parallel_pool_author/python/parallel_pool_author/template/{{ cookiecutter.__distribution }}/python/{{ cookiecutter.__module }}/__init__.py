"""The environments of {{ cookiecutter.family }}: `parallel_pool.make("{{ cookiecutter.family }}/{{ cookiecutter.env }}-v0")`."""
