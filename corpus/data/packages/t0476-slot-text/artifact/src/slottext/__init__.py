"""Text templates with checked expressions."""

from .expression import ExpressionError
from .template import Template

try:
    from ._revision import REVISION
except ImportError:
    REVISION = "source tree"

__all__ = ["ExpressionError", "REVISION", "Template"]
