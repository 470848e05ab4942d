"""What a step costs, in instructions and in time; benchmarks/instructions.py is the command."""
