"""Evaluations in tests: what the pytest plugin is built on, for other test runners too."""

from .reading import ResultsError, read_results
from .results import Result, Session, write_results
from .upload import Uploaded, upload
from .verdict import Verdict, compare

__all__ = ["Result", "ResultsError", "Session", "Uploaded", "Verdict", "compare", "read_results", "upload", "write_results"]
