"""SQL notebook for assistants."""
