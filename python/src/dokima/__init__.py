"""Client of the Dokima evaluation service."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from . import _generated as types
from ._async_http import AsyncPages
from ._async_prompts import AsyncPrompts
from ._errors import Conflict, DokimaError, Invalid, NoAnswer, NotFound, RateLimited, Refused
from ._prompts import Prompt, PromptMessage
from ._sync_http import Pages
from ._sync_prompts import Prompts

__version__ = "0.1.0"


class Dokima(Prompts):
    """A client of one Dokima service, with a method for every operation of its API.

    The address and the key come from the arguments, else from DOKIMA_URL and DOKIMA_API_KEY.
    """

    def run(self, run_id: str) -> RunRows:
        """Returns the records of a run as rows: iterate over them, or take `.to_pandas()`."""
        return RunRows(self, run_id)

    def push_frame(
        self,
        project: str,
        name: str,
        frame: Any,
        *,
        inputs: Sequence[str] | None = None,
        expected: Sequence[str] | None = None,
        outputs: Sequence[str] | None = None,
        scores: Sequence[str] | None = None,
        labels: Mapping[str, Mapping[str, Any]] | None = None,
        tags: Sequence[str] = (),
    ) -> RunRows:
        """Makes a run of a frame of pandas: a record for each row, in the testset of this name.

        Each argument names columns. Default: those that begin with `inputs.`, `expected.`, `outputs.` or `scores.`, as `run().to_pandas()`
        names them. Scores are True or False, 1 to 5 as an int, 0.0 to 1.0, or labels; `labels` says for each metric which there are, unless
        the project has it.
        """
        given = {"inputs": inputs, "expected": expected, "outputs": outputs, "scores": scores}
        return push_frame(self, project, name, frame, tags, given, labels or {})


class AsyncDokima(AsyncPrompts):
    """The same client for asyncio."""


# They use the client above.
from ._evaluate import evaluate  # noqa: E402
from ._evaluation import Evaluation, NotBetter  # noqa: E402
from ._frames import RunRows, push_frame  # noqa: E402

__all__ = [
    "AsyncDokima",
    "AsyncPages",
    "Conflict",
    "Dokima",
    "DokimaError",
    "Evaluation",
    "Invalid",
    "NoAnswer",
    "NotBetter",
    "NotFound",
    "Pages",
    "Prompt",
    "PromptMessage",
    "RateLimited",
    "Refused",
    "RunRows",
    "evaluate",
    "types",
]
