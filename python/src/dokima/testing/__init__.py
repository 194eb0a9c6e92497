"""Evaluations in tests: what the pytest plugin is built on, for other test runners too."""

from .results import Result, Session, read_results, write_results
from .upload import Uploaded, upload
from .verdict import Verdict, compare

__all__ = ["Result", "Session", "Uploaded", "Verdict", "compare", "read_results", "upload", "write_results"]
