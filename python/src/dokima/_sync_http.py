# Generated from _async_http.py by `npm run generate`. Do not edit.
# ruff: noqa

from __future__ import annotations

from collections.abc import Iterator, Callable, Mapping
from typing import Any, Generic, Literal, Self, TypeVar

import httpx

from ._concurrency import sleep
from ._http import Answer, USUAL_TIMEOUT, Settings

T = TypeVar("T")


class Pages(Generic[T]):
    """A list. Iterate over it to get every item; it reads page by page. No request is sent before that."""

    def __init__(self, ask: Callable[[dict[str, Any]], Any], query: Mapping[str, Any]) -> None:
        # The largest page: 100,000 records are 1,000 requests, not 5,000.
        self._ask, self._query = ask, {"limit": 100, **query}

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
            for item in page:
                yield item

    def first(self) -> T | None:
        """Returns the first item, or None."""
        for item in self:
            return item
        return None


class Http(Settings):
    """Sends requests."""

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        timeout: float | None = None,
        retries: int = 4,
        http_client: httpx.Client | None = None,
    ) -> None:
        super().__init__(base_url, api_key, timeout, retries)
        self._client = http_client or httpx.Client(timeout=timeout or USUAL_TIMEOUT)

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
        return answer.json(object_hook=Answer) if answer.content else None

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
            sleep(wait or 0)
            attempt += 1

    def _list(self, method: str, path: str, *, query: Mapping[str, Any] | None = None) -> Pages[Any]:
        def ask(more: dict[str, Any]) -> Any:
            return self._ask(method, path, query=more)

        return Pages(ask, query or {})

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
