"""What environments look like: fields, and the spaces and specs that libraries make of them."""
