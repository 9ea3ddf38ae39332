"""Forms for small sites."""
