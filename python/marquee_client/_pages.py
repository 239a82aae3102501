"""Lazy lists of items in pages, and the driver that runs coroutines without an event loop."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import (
    Any,
    AsyncGenerator,
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Generic,
    Iterator,
    List,
    Optional,
    TypeVar,
)

from .errors import UsageError

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Page(Generic[Item]):
    """A page of items."""

    items: List[Item]
    #: Cursor of the next page, for the parameter ``cursor``; None on the last page.
    next_cursor: Optional[str] = None


def run(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Runs a coroutine over a transport that blocks: it never suspends, so one step is all of it."""
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value
    coroutine.close()
    raise RuntimeError("a blocking transport suspended")


def iterate(generator: AsyncGenerator[Item, None]) -> Iterator[Item]:
    """Iterates over an asynchronous generator whose transport blocks."""

    async def step() -> Item:
        return await generator.__anext__()

    try:
        while True:
            try:
                item = run(step())
            except StopAsyncIteration:
                return
            yield item
    finally:
        run(_close(generator))


async def _close(generator: AsyncGenerator[Any, None]) -> None:
    await generator.aclose()


class Walk(Generic[Item]):
    """Fetches pages one after the other, up to the limits."""

    def __init__(
        self,
        fetch_page: Callable[[Optional[str]], Awaitable[Page[Item]]],
        start: Optional[str],
        max_pages: Optional[int],
        max_items: Optional[int],
    ) -> None:
        self.max_pages = math.inf if max_pages is None else max_pages
        self.max_items = math.inf if max_items is None else max_items
        if not (self.max_pages >= 0 and self.max_items >= 0):
            raise UsageError("max_pages and max_items must be numbers from 0 on")
        self._fetch_page = fetch_page
        self._start = start

    async def page(self) -> Page[Item]:
        return await self._fetch_page(self._start)

    async def pages(self) -> AsyncGenerator[Page[Item], None]:
        cursor = self._start
        pages = items = 0
        while pages < self.max_pages and items < self.max_items:
            page = await self._fetch_page(cursor)
            pages += 1
            items += len(page.items)
            yield page
            cursor = page.next_cursor
            if cursor is None:
                return

    async def items(self) -> AsyncGenerator[Item, None]:
        left = self.max_items
        pages = self.pages()
        try:
            async for page in pages:
                for item in page.items:
                    if left <= 0:
                        return
                    left -= 1
                    yield item
        finally:
            await pages.aclose()


class Pages(Generic[Item]):
    """A lazy list of items in pages: iterate over items, or over ``pages()``; ``all()`` is a list, ``page()`` one page.

    A page is fetched when it is needed, not before. Each use starts from the beginning.
    """

    def __init__(self, walk: Walk[Item]) -> None:
        self._walk = walk

    def __iter__(self) -> Iterator[Item]:
        return iterate(self._walk.items())

    def pages(self) -> Iterator[Page[Item]]:
        """The pages, up to the limits."""
        return iterate(self._walk.pages())

    def page(self) -> Page[Item]:
        """One page: the first, or the one that the parameter ``cursor`` names."""
        return run(self._walk.page())

    def all(self) -> List[Item]:
        """All items in a list, up to the limits."""
        return list(self)


class AsyncPages(Generic[Item]):
    """As ``Pages``, for ``async for`` and ``await``."""

    def __init__(self, walk: Walk[Item]) -> None:
        self._walk = walk

    def __aiter__(self) -> AsyncIterator[Item]:
        return self._walk.items()

    def pages(self) -> AsyncIterator[Page[Item]]:
        """The pages, up to the limits."""
        return self._walk.pages()

    async def page(self) -> Page[Item]:
        """One page: the first, or the one that the parameter ``cursor`` names."""
        return await self._walk.page()

    async def all(self) -> List[Item]:
        """All items in a list, up to the limits."""
        return [item async for item in self._walk.items()]
