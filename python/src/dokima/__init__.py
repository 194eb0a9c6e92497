"""Client of the Dokima evaluation service."""

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


class AsyncDokima(AsyncPrompts):
    """The same client for asyncio."""


# They use the client above.
from ._evaluate import evaluate  # noqa: E402
from ._evaluation import Evaluation, NotBetter  # noqa: E402

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
    "evaluate",
    "types",
]
