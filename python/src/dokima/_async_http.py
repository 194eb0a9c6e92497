"""Requests and pages for asyncio. `npm run generate` makes the same for threads of it: `_sync_http.py`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, Generic, Literal, Self, TypeVar

import httpx

from ._concurrency import async_sleep
from ._http import Answer, USUAL_TIMEOUT, Settings

T = TypeVar("T")


class AsyncPages(Generic[T]):
    """A list. Iterate over it to get every item; it reads page by page. No request is sent before that."""

    def __init__(self, ask: Callable[[dict[str, Any]], Awaitable[Any]], query: Mapping[str, Any]) -> None:
        # The largest page: 100,000 records are 1,000 requests, not 5,000.
        self._ask, self._query = ask, {"limit": 100, **query}

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


class AsyncHttp(Settings):
    """Sends requests."""

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        timeout: float | None = None,
        retries: int = 4,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        super().__init__(base_url, api_key, timeout, retries)
        self._client = http_client or httpx.AsyncClient(timeout=timeout or USUAL_TIMEOUT)

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
        return answer.json(object_hook=Answer) if answer.content else None

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
            await async_sleep(wait or 0)
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
