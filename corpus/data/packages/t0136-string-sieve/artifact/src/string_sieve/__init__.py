"""Find credentials in text."""

from .scan import Hit, scan_text, scan_tree

__all__ = ["Hit", "scan_text", "scan_tree"]
