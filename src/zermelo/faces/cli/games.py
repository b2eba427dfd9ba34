"""``zermelo games``."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence

import click

from zermelo import api
from zermelo.faces.cli.options import Settings, examples, looks
from zermelo.faces.cli.screen import print_json
from zermelo.text.prose import BLANK, Line, Piece, Tone, line, listing


@click.command(
    "games",
    epilog=examples("zermelo games", "zermelo play NAME", "zermelo explain NAME"),
)
@click.option("--json", "is_json", is_flag=True, help="Print a list of JSON objects.")
@looks
def command(*, is_json: bool, settings: Settings) -> int:
    """List the games of the library.

    They are documents that come with Zermelo; the name of one can stand wherever a file can.
    """
    games = api.games()
    if is_json:
        print_json(
            [
                {
                    "name": game.name,
                    "title": _title(game),
                    "summary": game.summary,
                    "players": list(api.load(game.path).players),
                    "known": list(_known(game)),
                }
                for game in games
            ]
        )
        return 0
    screen = settings.screen
    for game in games:
        screen.show(_lines(game))
    names = listing([game.name for game in games], last="or")
    screen.say(f"Play one with `zermelo play NAME`, where NAME is {names}.")
    return 0


def _lines(game: api.LibraryGame) -> Iterator[Line]:
    yield line(Piece(game.name, Tone.STRONG), f": {_title(game)}")
    if game.summary:
        yield line(game.summary.replace("`", ""), indent=4)
    players = api.load(game.path).players
    yield line(f"Players: {listing(players) or 'not known'}.", indent=4)
    for sentence in _known(game):
        yield line(sentence, indent=4, hang=2)
    yield BLANK


def _title(game: api.LibraryGame) -> str:
    """The title of the game's README."""
    readme = game.path.with_name("README.md")
    path = readme if readme.is_file() else game.path
    rows = path.read_text(encoding="utf-8").splitlines()
    return next((row.lstrip("# ") for row in rows if row.startswith("# ")), game.name)


def _known(game: api.LibraryGame) -> Iterator[str]:
    """What is known of a game, as sentences; the sources are in its ``expected.toml``."""
    path = game.path.with_name("expected.toml")
    known = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    plays = _numbers(known.get("plays", ()), "by_length")
    if plays:
        yield f"Plays of 1 to {len(plays)} moves: {_listed(plays)}."
    states = _numbers(known.get("states", ()), "by_depth")
    if states:
        yield f"Positions after 0 to {len(states) - 1} moves: {_listed(states)}."


def _numbers(entries: Sequence[Mapping[str, object]], key: str) -> list[int]:
    """The longest list of numbers called *key* among *entries*."""
    found = [entry[key] for entry in entries if isinstance(entry.get(key), list)]
    lists = [[n for n in each if isinstance(n, int)] for each in found if isinstance(each, list)]
    return max(lists, key=len, default=[])


def _listed(numbers: Sequence[int]) -> str:
    return listing([f"{number:,}" for number in numbers])
