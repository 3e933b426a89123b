"""SARIF 2.1.0 logs, as code scanning wants them."""

from __future__ import annotations

from manni.reports.sarif.log import Log, build, render

__all__ = ["Log", "build", "render"]
