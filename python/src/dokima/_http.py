"""Requests, retries and pages: what the generated operations stand on."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import secrets
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from email.utils import parsedate_to_datetime
from typing import Any, Generic, Literal, Self, TypeVar
from urllib.parse import quote as quote_text

import httpx

T = TypeVar("T")

#: Statuses that say nothing about the request itself, so that another attempt may succeed.
TRANSIENT = frozenset({408, 425, 429, 500, 502, 503, 504})
FIRST_DELAY, LONGEST_DELAY, LONGEST_RETRY_AFTER = 0.25, 8.0, 60.0


def quote(value: str) -> str:
    """Returns an id as a part of a path."""
    return quote_text(str(value), safe="")


def _camel(name: str) -> str:
    return re.sub(r"_([a-z0-9])", lambda match: match[1].upper(), name)


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


class _Settings:
    """Address, key and limits, which both clients share."""

    def __init__(self, base_url: str | None, api_key: str | None, timeout: float, retries: int) -> None:
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
        content = None if body is None else json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
        if content is not None:
            headers["content-type"] = "application/json"
        url = f"{self.base_url}{path}"
        return client.build_request(method, url, params=_query(query), headers=headers, content=content)

    def _judge(self, answer: httpx.Response | httpx.TransportError, attempt: int) -> float | None:
        """Returns None for a good answer, else the seconds to wait. Raises if no further attempt may help."""
        from ._errors import NoAnswer, Refused, error_of

        if isinstance(answer, httpx.TransportError):
            if attempt < self.retries:
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


class Pages(Generic[T]):
    """A list. Iterate over it to get every item; it reads page by page. No request is sent before that."""

    def __init__(self, ask: Callable[[dict[str, Any]], Any], query: Mapping[str, Any]) -> None:
        self._ask, self._query = ask, dict(query)

    def pages(self) -> Iterator[list[T]]:
        """Yields every page."""
        query = dict(self._query)
        while True:
            page = self._ask(query)
            yield page["data"]
            if not page["hasMore"]:
                return
            query["cursor"] = page["nextCursor"]

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page

    def first(self) -> T | None:
        """Returns the first item, or None."""
        return next(iter(self), None)


class AsyncPages(Generic[T]):
    """A list for `async for`. It reads page by page. No request is sent before that."""

    def __init__(self, ask: Callable[[dict[str, Any]], Coroutine[Any, Any, Any]], query: Mapping[str, Any]) -> None:
        self._ask, self._query = ask, dict(query)

    async def pages(self) -> AsyncIterator[list[T]]:
        """Yields every page."""
        query = dict(self._query)
        while True:
            page = await self._ask(query)
            yield page["data"]
            if not page["hasMore"]:
                return
            query["cursor"] = page["nextCursor"]

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for item in page:
                yield item

    async def first(self) -> T | None:
        """Returns the first item, or None."""
        async for item in self:
            return item
        return None


class Http(_Settings):
    """Sends requests and waits."""

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        timeout: float = 60.0,
        retries: int = 4,
        http_client: httpx.Client | None = None,
    ) -> None:
        super().__init__(base_url, api_key, timeout, retries)
        self._client = http_client or httpx.Client(timeout=timeout)

    def _ask(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        fields: Mapping[str, Any] | None = None,
        body: Any = None,
        key: str | Literal[False] | None = None,
    ) -> Any:
        answer = self._send(self._request(self._client, method, path, query, fields, body, key))
        return answer.json() if answer.content else None

    def _send(self, request: httpx.Request) -> httpx.Response:
        attempt = 0
        while True:
            answer: httpx.Response | httpx.TransportError
            try:
                answer = self._client.send(request)
            except httpx.TransportError as error:
                answer = error
            wait = self._judge(answer, attempt)
            if wait is None and isinstance(answer, httpx.Response):
                return answer
            time.sleep(wait or 0)
            attempt += 1

    def _list(self, method: str, path: str, *, query: Mapping[str, Any] | None = None) -> Pages[Any]:
        return Pages(lambda more: self._ask(method, path, query=more), query or {})

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncHttp(_Settings):
    """Sends requests for asyncio."""

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        timeout: float = 60.0,
        retries: int = 4,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        super().__init__(base_url, api_key, timeout, retries)
        self._client = http_client or httpx.AsyncClient(timeout=timeout)

    async def _ask(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        fields: Mapping[str, Any] | None = None,
        body: Any = None,
        key: str | Literal[False] | None = None,
    ) -> Any:
        answer = await self._send(self._request(self._client, method, path, query, fields, body, key))
        return answer.json() if answer.content else None

    async def _send(self, request: httpx.Request) -> httpx.Response:
        attempt = 0
        while True:
            answer: httpx.Response | httpx.TransportError
            try:
                answer = await self._client.send(request)
            except httpx.TransportError as error:
                answer = error
            wait = self._judge(answer, attempt)
            if wait is None and isinstance(answer, httpx.Response):
                return answer
            await asyncio.sleep(wait or 0)
            attempt += 1

    def _list(self, method: str, path: str, *, query: Mapping[str, Any] | None = None) -> AsyncPages[Any]:
        async def ask(more: dict[str, Any]) -> Any:
            return await self._ask(method, path, query=more)

        return AsyncPages(ask, query or {})

    async def close(self) -> None:
        """Closes the connections."""
        await self._client.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
