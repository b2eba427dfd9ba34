"""Room for pages: each has a place with a game and a thread, and there are only so many.

Nothing in here waits, so that however many pages come at the same moment, each is counted
before the next one is looked at.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from starlette.websockets import WebSocket

from zermelo.faces.web.conversation import Conversation
from zermelo.faces.web.limits import MOST_LEFT, MOST_PAGES
from zermelo.faces.web.session import Session
from zermelo.faces.web.worker import Worker


@dataclass(slots=True, eq=False)
class Place:
    """A game, what computes for it, and the page that shows it."""

    name: str
    worker: Worker
    session: Session | None = None
    """Made by the worker when the page has come."""
    talk: Conversation | None = None
    """With the page that shows it, if there is one."""


class Places:
    """All places of a server."""

    def __init__(self) -> None:
        self._places: dict[str, Place] = {}
        """By their names, the one that was used last at the end."""
        self._ending: list[Worker] = []
        """Those that still compute something for a place that is gone."""

    @property
    def pages(self) -> int:
        """How many places have a page."""
        return sum(place.talk is not None for place in self._places.values())

    @property
    def games(self) -> int:
        """How many games are remembered, with a page or without."""
        return len(self._places)

    def take(
        self,
        name: str,
        socket: WebSocket,
        new_session: Callable[[], Session],
        *,
        instead: str = "",
    ) -> tuple[Place, Conversation] | None:
        """A place for the page behind *socket*: that of its game *name*, or a new one.

        A new one gets its game from *new_session*.

        A page that was loaded again wants a new game *instead* of the one it had. ``None`` if
        all are taken; a page that comes back has its own. Whoever gets one gives it back with
        ``leave``.
        """
        place = self._places.get(name)
        if place is None:
            if instead in self._places:
                self._forget(self._places[instead])
            if not self._has_room():
                return None
            place = Place(secrets.token_urlsafe(12), Worker())
        elif place.talk is not None:
            # The page comes back before anybody has noticed that it was gone.
            place.talk.leave()
        self._places.pop(place.name, None)
        self._places[place.name] = place
        found = place
        talk = place.talk = Conversation(socket, place.worker, lambda: _session(found, new_session))
        return place, talk

    def leave(self, place: Place, talk: Conversation) -> None:
        """The page of *talk* is gone; the games of the last ones are remembered."""
        if place.talk is not talk:
            # It has come back meanwhile, and has the place or another one.
            return
        place.talk = None
        if place.session is None:
            self._forget(place)
        left = [each for each in self._places.values() if each.talk is None]
        for each in left[:-MOST_LEFT]:
            self._forget(each)

    def _forget(self, place: Place) -> None:
        if place.talk is not None:
            place.talk.leave()
            place.talk = None
        del self._places[place.name]
        place.worker.close()
        self._ending.append(place.worker)

    def _has_room(self) -> bool:
        self._ending = [worker for worker in self._ending if worker.is_working]
        return self.pages < MOST_PAGES and (
            len(self._places) + len(self._ending) < MOST_PAGES + 2 * MOST_LEFT
        )


def _session(place: Place, new_session: Callable[[], Session]) -> Session:
    """The game at *place*; its worker asks for it."""
    if place.session is None:
        place.session = new_session()
    return place.session
