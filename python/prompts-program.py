"""Fetches a prompt while its clock goes on and the service goes away. python.test.ts runs it."""

import asyncio
import os

import httpx

from dokima import AsyncDokima, Dokima, DokimaError

project, name = os.environ["DOKIMA_PROJECT"], "Support / EU"
now = 0.0
statuses: list[str] = []


class Counted(httpx.HTTPTransport):
    away = False

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if self.away:
            statuses.append("away")
            raise httpx.ConnectError("away")
        answer = super().handle_request(request)
        statuses.append(str(answer.status_code))
        return answer


class AsyncCounted(httpx.AsyncHTTPTransport):
    away = False

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if self.away:
            statuses.append("away")
            raise httpx.ConnectError("away")
        answer = await super().handle_async_request(request)
        statuses.append(str(answer.status_code))
        return answer


def wait_for_renewal(dokima: Dokima) -> None:
    known = next(iter(dokima._prompts.kept.values()))
    while known.renewing:
        pass


transport = Counted()
with Dokima(retries=0, http_client=httpx.Client(transport=transport), clock=lambda: now) as dokima:
    prompt = dokima.get_prompt(project, name)
    for later in (59.9, 60.0):  # Only the second is old enough to be renewed.
        now = later
        assert dokima.get_prompt(project, name) is prompt
        wait_for_renewal(dokima)
    transport.away = True
    now = 120.0
    assert dokima.get_prompt(project, name) is prompt
    wait_for_renewal(dokima)
    assert dokima.get_prompt(project, name) is prompt  # It is not asked again before another minute.
    print("sync", ", ".join(statuses))

print(prompt.render({"user": {"name": "Ann"}, "question": "Where?", "items": [1, "a"]}))
try:
    prompt.render({"user": {}})
except DokimaError as error:
    print(error)


async def main() -> None:
    global now
    statuses.clear()
    transport = AsyncCounted()
    now = 0.0
    async with AsyncDokima(retries=0, http_client=httpx.AsyncClient(transport=transport), clock=lambda: now) as dokima:
        prompt, same = await asyncio.gather(*[dokima.get_prompt(project, name) for _ in range(2)])
        assert same is prompt
        for later, away in ((60.0, False), (120.0, True)):
            now, transport.away = later, away
            assert await dokima.get_prompt(project, name) is prompt
            await asyncio.gather(*dokima._background._tasks)
        print("async", ", ".join(statuses))


asyncio.run(main())
