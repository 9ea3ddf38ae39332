"""Timing of batch jobs."""

from .clock import job, step

__version__ = "1.5.0"
__all__ = ["job", "step"]
