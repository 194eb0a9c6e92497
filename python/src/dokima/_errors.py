"""Errors of the client."""

from __future__ import annotations

import json
from typing import Any

import httpx

from ._generated import FIXES


class DokimaError(Exception):
    """The service answered with an error, or did not answer."""

    #: One of the codes of docs/errors.md, `NO_ANSWER` if the service was not reached, or `HTTP_` and the status.
    code: str
    #: HTTP status; None if no answer came.
    status: int | None
    #: What to do about it; empty if that is not known.
    fix: str
    #: More about the error. `details["issues"]` names each problem of a refused request.
    details: dict[str, Any]
    #: Id of the request in the log of the service.
    request_id: str | None

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int | None = None,
        details: dict[str, Any] | None = None,
        request_id: str | None = None,
    ) -> None:
        self.code, self.message, self.status = code, message, status
        self.details, self.request_id = details or {}, request_id
        self.fix = FIXES.get(code, "Check the address, and that the service runs." if code == "NO_ANSWER" else "")
        super().__init__(f"{code}: {message}" + (f" {self.fix}" if self.fix else ""))


class NotFound(DokimaError):
    """No object has this id, or it belongs to another organization."""


class Refused(DokimaError):
    """The key is missing or wrong, or may not do this."""


class Invalid(DokimaError):
    """The request is not valid. `details["issues"]` lists every problem."""


class Conflict(DokimaError):
    """The request conflicts with the current state."""


class RateLimited(DokimaError):
    """Too many requests: the client waited and tried again, and was still refused."""


class NoAnswer(DokimaError):
    """The service was not reached, or did not answer in time."""


_kinds: dict[int, type[DokimaError]] = {
    400: Invalid,
    401: Refused,
    403: Refused,
    404: NotFound,
    409: Conflict,
    429: RateLimited,
}


def error_of(response: httpx.Response) -> DokimaError:
    """Returns the error of an answer. If a proxy gave the answer, the code is its HTTP status."""
    kind = _kinds.get(response.status_code, DokimaError)
    request_id = response.headers.get("x-request-id")
    try:
        body = json.loads(response.text)
        code, message, details = body["code"], body["message"], body.get("details")
    except (ValueError, TypeError, KeyError):
        code, details = f"HTTP_{response.status_code}", None
        request = response.request
        message = f"{request.method} {request.url.path} was answered with {response.status_code}: {response.text[:200].strip()}"
    return kind(code, message, status=response.status_code, details=details, request_id=request_id)
