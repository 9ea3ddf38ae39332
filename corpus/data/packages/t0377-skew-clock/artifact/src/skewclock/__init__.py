"""Clock offset estimation."""

from .estimate import Estimator, Exchange
from .leap import seconds_at

__all__ = ["Estimator", "Exchange", "seconds_at"]
