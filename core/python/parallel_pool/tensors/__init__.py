"""Results as tensors of torch: `make(..., output="torch")`. Imports torch when asked for."""
