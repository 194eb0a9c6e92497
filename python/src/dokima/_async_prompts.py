"""Prompts by their label, for asyncio. `npm run generate` makes the same for threads of it: `_sync_prompts.py`."""

from __future__ import annotations

import time
from collections.abc import Callable

import httpx

from ._concurrency import AsyncBackground, AsyncLock
from ._generated import AsyncOperations
from ._prompts import Cache, Kept, Prompt, path_of


class AsyncPrompts(AsyncOperations):
    """Fetches prompts."""

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        timeout: float | None = None,
        retries: int = 4,
        http_client: httpx.AsyncClient | None = None,
        prompt_max_age: float = 60.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(base_url, api_key, timeout=timeout, retries=retries, http_client=http_client)
        self._prompts, self._first_fetch = Cache(prompt_max_age, clock), AsyncLock()
        self._background = AsyncBackground()

    async def get_prompt(self, project_id: str, name: str, label: str = "production") -> Prompt:
        """Returns the version that a label of a prompt points to.

        Only the first call waits for the service. Later calls get the version that is kept, and one that is older than
        `prompt_max_age` seconds is renewed in the background. If the service is unavailable, the kept version stays.
        """
        path = path_of(project_id, name, label)
        known = self._prompts.kept.get(path)
        if known is None:
            async with self._first_fetch:
                known = self._prompts.kept.get(path)
                return known.prompt if known else await self._fetch(path)
        if self._prompts.is_due(known):
            self._background.start(self._renew, path, known)
        return known.prompt

    async def _fetch(self, path: str) -> Prompt:
        request = self._request(self._client, "GET", path, None, None, None, None)
        request.headers.update(self._prompts.etag(path))
        return self._prompts.store(path, await self._send(request))

    async def _renew(self, path: str, known: Kept) -> None:
        try:
            await self._fetch(path)
        except Exception:  # The kept version stays; the next call after max_age tries again.
            pass
        finally:
            known.renewing = False
