"""Requests and retries, which the clients for threads and for asyncio share."""

from __future__ import annotations

import json
import os
import random
import re
import secrets
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote as quote_text

import httpx

#: Statuses that say nothing about the request itself, so that another attempt may succeed.
TRANSIENT = frozenset({408, 425, 429, 500, 502, 503, 504})
#: Requests whose answer waits for a model, as long as the `timeoutMs` of its provider.
WAITS_FOR_MODEL = re.compile(
    r"/(?:ask|test|try|simulate|drafts|failure-clusters|trials|metrics/preview|trials/\d+/extend)$"
)
USUAL_TIMEOUT, LONGEST_TIMEOUT = 60.0, 3600.0
FIRST_DELAY, LONGEST_DELAY, LONGEST_RETRY_AFTER = 0.25, 8.0, 60.0


def quote(value: str) -> str:
    """Returns an id as a part of a path."""
    return quote_text(str(value), safe="")


def _encoded(body: Any) -> bytes:
    try:
        return json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:  # half of a surrogate pair has no bytes, and an escape
        return json.dumps(body, allow_nan=False).encode()


def _camel(name: str) -> str:
    return re.sub(r"_([a-z0-9])", lambda match: match[1].upper(), name)


class Answer(dict[str, Any]):
    """An object of an answer: a dict with the names of the API, whose fields are attributes in snake_case too.

    `run.num_records` is `run["numRecords"]`. A field that the answer may leave out is None then. The fields of
    `inputs`, `expected` and `outputs` are attributes under their own names.
    """

    __slots__ = ()

    # Type checkers see the fields of each answer, and find a name that none has.
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            from ._generated import OPTIONAL

            key = _camel(name)
            for one in (key, name):
                if one in self:
                    return self[one]
            if key in OPTIONAL:
                return None
            known = ", ".join(re.sub("[A-Z]", lambda match: "_" + match[0].lower(), one) for one in self)
            raise AttributeError(f"The answer has no {name}. It has {known or 'no fields'}.", name=name, obj=self)


def _query(query: Mapping[str, Any] | None) -> httpx.QueryParams:
    pairs: list[tuple[str, str | int | float | bool | None]] = []
    for name, value in (query or {}).items():
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is not None:
                pairs.append((_camel(name), one))
    return httpx.QueryParams(pairs)


def _retry_after(header: str | None) -> float | None:
    if not header:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(header).timestamp() - time.time()
        except ValueError:
            return None
    return min(max(seconds, 0.0), LONGEST_RETRY_AFTER)


def _delay(attempt: int, response: httpx.Response | None) -> float:
    asked = _retry_after(response.headers.get("retry-after")) if response is not None else None
    # Clients that failed together must not retry together.
    return asked if asked is not None else min(FIRST_DELAY * 2**attempt, LONGEST_DELAY) * random.uniform(0.5, 1.0)


def _waits_for_model(method: str, path: str) -> bool:
    return method == "POST" and WAITS_FOR_MODEL.search(path) is not None


class Settings:
    """Address, key and limits, which both clients share."""

    def __init__(self, base_url: str | None, api_key: str | None, timeout: float | None, retries: int) -> None:
        url = base_url or os.environ.get("DOKIMA_URL") or "http://localhost:3000"
        #: Address of the service without a path.
        self.base_url = url.rstrip("/").removesuffix("/api/v2")
        self.api_key = api_key or os.environ.get("DOKIMA_API_KEY")
        self.timeout, self.retries = timeout, retries

    def _headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.api_key}"} if self.api_key else {}

    def _request(
        self,
        client: httpx.Client | httpx.AsyncClient,
        method: str,
        path: str,
        query: Mapping[str, Any] | None,
        fields: Mapping[str, Any] | None,
        body: Any,
        key: str | Literal[False] | None,
    ) -> httpx.Request:
        headers = self._headers()
        if method == "POST" and key is not False:
            # With a key, an attempt that was carried out but whose answer was lost is not carried out twice.
            headers["idempotency-key"] = key or secrets.token_hex(16)
        if fields is not None:
            body = {_camel(name): value for name, value in fields.items()}
        content = None if body is None else _encoded(body)
        if content is not None:
            headers["content-type"] = "application/json"
        url = f"{self.base_url}{path}"
        limit: Any = httpx.USE_CLIENT_DEFAULT
        if _waits_for_model(method, path) and self.timeout is None:
            limit = httpx.Timeout(LONGEST_TIMEOUT, connect=USUAL_TIMEOUT)
        return client.build_request(
            method, url, params=_query(query), headers=headers, content=content, timeout=limit
        )

    def _judge(self, answer: httpx.Response | httpx.TransportError, attempt: int) -> float | None:
        """Returns None for a good answer, else the seconds to wait. Raises if no further attempt may help."""
        from ._errors import NoAnswer, Refused, error_of

        if isinstance(answer, httpx.TransportError):
            # The model may still be at work: the same question again would be paid twice.
            is_paid = isinstance(answer, httpx.ReadTimeout) and _waits_for_model(
                answer.request.method, answer.request.url.path
            )
            if attempt < self.retries and not is_paid:
                return _delay(attempt, None)
            why = str(answer) or type(answer).__name__
            raise NoAnswer("NO_ANSWER", f"{self.base_url} does not answer ({why}).") from answer
        if answer.is_success or answer.status_code == 304:
            return None
        if attempt < self.retries and answer.status_code in TRANSIENT:
            return _delay(attempt, answer)
        if answer.status_code == 401 and not self.api_key:
            raise Refused("UNAUTHORIZED", "There is no API key: set DOKIMA_API_KEY, or give the client an api_key.", status=401)
        raise error_of(answer)
