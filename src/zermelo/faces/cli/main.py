"""The command ``zermelo``: finds the command that was asked for, and how the process ends.

A command's module is imported when it is called, so that help is quick. Exit codes:
0 all is well, 1 something does not hold, 2 there is no system, 3 our fault, 124 the time was over
before there was an answer.
"""

from __future__ import annotations

import errno
import gc
import io
import os
import platform
import signal
import sys
import threading
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, Final, NoReturn, TextIO

import click

from zermelo.faces.cli.options import examples
from zermelo.faces.cli.progress import (
    INTERRUPTED,
    OUT_OF_TIME,
    Running,
    Watchdog,
    out_of_time_text,
)
from zermelo.faces.cli.screen import screen
from zermelo.files import program
from zermelo.text import budget
from zermelo.text.budget import OutOfRoom, OutOfTime
from zermelo.text.errors import UsageError, nearest
from zermelo.text.prose import line

_OBJECTS_BETWEEN_COLLECTIONS: Final = 100_000


def version() -> str:
    """The version: of the repository when it runs from one, else of the installed package."""
    import tomllib  # noqa: PLC0415 - help needs none of it
    from importlib.metadata import PackageNotFoundError  # noqa: PLC0415
    from importlib.metadata import version as installed_version  # noqa: PLC0415

    project = Path(__file__).parents[4] / "pyproject.toml"
    if project.is_file():
        found = tomllib.loads(project.read_text(encoding="utf-8")).get("project", {})
        if found.get("name") == "zermelo":
            return str(found["version"])
    try:
        return installed_version("zermelo")
    except PackageNotFoundError:
        return "of unknown version"


OUR_FAULT: Final = 3
NO_SYSTEM: Final = 2
PIPE_CLOSED: Final = 141
_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""Why what is written to an open file may not get there; of a file of our own its name is said."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A command: the module that has it, and what it does in one line."""

    module: str
    summary: str
    name: str = "command"


COMMANDS: Final[Mapping[str, Entry]] = {
    "serve": Entry("zermelo.faces.web.command", "Serve the page: play, see and change documents."),
    "play": Entry("zermelo.faces.cli.play", "Play the system of a document."),
    "step": Entry("zermelo.faces.cli.step", "Make moves and show every rule they try."),
    "explain": Entry("zermelo.faces.cli.explain", "Say in plain words what a document means."),
    "check": Entry(
        "zermelo.faces.cli.check", "Read a document, try it out, and say what is wrong."
    ),
    "readings": Entry(
        "zermelo.faces.cli.readings", "Try every way a document can be read, by playing it."
    ),
    "compare": Entry(
        "zermelo.faces.cli.comparing.compare",
        "Say whether two documents are the same game, or which play tells them apart.",
    ),
    "mutants": Entry(
        "zermelo.faces.cli.comparing.mutants",
        "Misread a document in every small way, and find the plays that show it.",
    ),
    "explore": Entry("zermelo.faces.cli.explore", "Count states, endings and plays."),
    "graph": Entry("zermelo.faces.cli.graph", "Build the graph of states and moves."),
    "solve": Entry("zermelo.faces.cli.solve", "Find out who wins, and how soon, from every state."),
    "picture": Entry(
        "zermelo.faces.cli.export",
        "Draw a position, or a play as a strip of boards.",
        name="picture_command",
    ),
    "format": Entry("zermelo.faces.cli.format", "Write a document in the canonical notation."),
    "easel": Entry("zermelo.faces.cli.easel", "Run an LED program in Easel."),
    "export": Entry("zermelo.faces.cli.export", "Write a document for other programs."),
    "net": Entry("zermelo.faces.cli.net", "Ask a Petri net: states, graph, shape, picture."),
    "repl": Entry("zermelo.faces.cli.repl", "Evaluate expressions in a state, and make moves."),
    "games": Entry("zermelo.faces.cli.games", "List the games of the library."),
    "devices": Entry(
        "zermelo.faces.cli.devices.command",
        "Say what there is to compute with, and whether it works.",
    ),
    "cache": Entry(
        "zermelo.faces.cli.kept.command",
        "Say where results of earlier runs are kept, and how much; `clear` removes them.",
    ),
    "new": Entry(
        "zermelo.faces.cli.games",
        "Write a template for a document of your own.",
        name="new_command",
    ),
}


class OutputClosed(Exception):
    """Whoever read our output has gone."""


class Commands(click.Group):
    """The commands, each imported when it is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        found = getattr(import_module(entry.module), entry.name)
        if signal.getsignal(signal.SIGINT) is _end_at_once:
            # From here on there is something to tidy up.
            signal.signal(signal.SIGINT, signal.default_int_handler)
        return found if isinstance(found, click.Command) else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that *args* begin with; what is not one gets the nearest names."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            near = nearest(args[0], COMMANDS)
            hint = f"; did you mean `zermelo {near[0]}`?" if near else "; see `zermelo --help`"
            raise click.UsageError(f"there is no command `{args[0]}`{hint}", ctx)
        return super().resolve_command(ctx, args)

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,  # noqa: ANN401 - click's
    ) -> click.Context:
        with _output_may_close():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> object:
        with _output_may_close():
            return super().invoke(ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in COMMANDS.items()])


@contextmanager
def _output_may_close() -> Iterator[None]:
    """Let nobody else see that our output is not read: click would end the process with 1."""
    try:
        yield
    except BrokenPipeError as error:
        raise OutputClosed from error


def _show_version(context: click.Context, parameter: click.Parameter, *values: bool) -> None:
    del parameter
    if any(values) and not context.resilient_parsing:
        click.echo(f"zermelo {version()}")
        context.exit()


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    invoke_without_command=True,
    epilog=examples(
        "zermelo                       the page, in the browser",
        "zermelo games                 the library",
        "zermelo new mine.md           a template to change",
        "zermelo check mine.md         what is wrong with it",
        "zermelo play mine.md          play it",
        'zermelo step mine.md "1 1"    every rule a move tries',
    ),
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
@click.option(
    "--no-open",
    is_flag=True,
    help="Without a command: open no browser; open the printed address yourself.",
)
def cli(*, no_open: bool) -> int | None:
    """Write a finite system, a board game first of all, as its mathematics.

    Zermelo runs it, explains it, checks it and plays it. A document is a text with the sets,
    variables, facts and rules of a system, an LED program, or a Petri net in PROD's language or
    PNML. Commands take a file, the name of a game in the library, or - for standard input.

    Without a command the page is served, on this machine: the library, boards to play on, and
    what there is to see of a play.
    """
    context = click.get_current_context()
    _choose_cache(os.environ)
    context.call_on_close(_say_why_nothing_is_kept)
    if context.invoked_subcommand is not None:
        return None
    serve = cli.get_command(context, "serve")
    assert serve is not None
    arguments = ["--no-open"] if no_open else []
    with serve.make_context("serve", arguments, parent=context) as inner:
        found: int = serve.invoke(inner)
    return found


def _choose_cache(environment: Mapping[str, str]) -> None:
    """Keep compiled code, reports and trials where the environment says, if it does."""
    from zermelo.fast import cache  # noqa: PLC0415 - help needs none

    told, caches = environment.get("ZERMELO_CACHE"), environment.get("XDG_CACHE_HOME", "")
    folder = cache.standard().folder
    if told:
        folder = None if told == "off" else Path(told).absolute()
    elif Path(caches).is_absolute():
        # What is not absolute counts as not set, as the XDG Base Directory Specification has it.
        folder = Path(caches, "zermelo")
    keeps_findings = environment.get("ZERMELO_REPORTS") != "off"
    cache.use(replace(cache.standard(), folder=folder, keeps_findings=keeps_findings))


def _say_why_nothing_is_kept() -> None:
    from zermelo.fast import cache  # noqa: PLC0415 - as above

    why = cache.standard().why_unused
    if why is not None:
        screen(is_error=True).say(
            f"zermelo: compiled code and reports are not kept, as others could change it: {why}. "
            "Or set ZERMELO_CACHE to another folder, or to `off`."
        )


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and end the process.

    Ctrl-C ends it with 130 at any moment, and output that nobody reads with 141.
    """
    if os.environ.get("ZERMELO_CHECKED"):
        from zermelo.fast import checked  # noqa: PLC0415 - for who looks for faults in our code

        checked.turn_on()
    # What a command makes is mostly needed until it ends, and looking through it takes its time.
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS, 10, 10)
    _open_streams()
    is_ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    if not is_ignored:
        signal.signal(signal.SIGINT, _end_at_once)
        sys.excepthook = _excepthook
        sys.unraisablehook = _unraisablehook
    watchdog = Watchdog()
    given = sys.argv[1:] if arguments is None else arguments
    code = run(given, began=budget.now() - program.age(), watchdog=watchdog)
    watchdog.stop()
    if not is_ignored:
        # Nothing is left to do: who presses Ctrl-C now shall not see Python tidying up, and who
        # did so before gets the exit code for it.
        how = signal.SIG_IGN if code == INTERRUPTED else signal.SIG_DFL
        signal.signal(signal.SIGINT, how)
    if threading.active_count() > 1:
        # A compiler that nobody waits for any more must not see Python being taken down.
        os._exit(code)
    sys.exit(code)


def _end_at_once(number: int, frame: FrameType | None) -> None:
    """What an interrupt does while there is nothing to tidy up, as during imports.

    An exception could come anywhere in them, and be reported or taken for another.
    """
    del number, frame
    os._exit(INTERRUPTED)


def _excepthook(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """What becomes of an interrupt outside of everything that waits for one."""
    if issubclass(kind, KeyboardInterrupt):
        os._exit(INTERRUPTED)
    sys.__excepthook__(kind, error, trace)


def _unraisablehook(unraisable: sys.UnraisableHookArgs) -> None:
    """What becomes of an interrupt where Python can raise nothing: it would be lost."""
    if issubclass(unraisable.exc_type, KeyboardInterrupt):
        os._exit(INTERRUPTED)
    sys.__unraisablehook__(unraisable)


def _open_streams() -> None:
    """Let there be three standard streams, also for who was started with one of them closed.

    A file that is opened later would get its number otherwise. Standard output that is closed is
    like one that is not read.
    """
    if sys.stdin is None:
        sys.stdin = os.fdopen(_at(0, os.open(os.devnull, os.O_RDONLY)))
    if sys.stdout is None:
        reader, writer = os.pipe()
        os.close(reader)
        sys.stdout = os.fdopen(_at(1, writer), "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = os.fdopen(_at(2, os.open(os.devnull, os.O_WRONLY)), "w", encoding="utf-8")


def _at(number: int, handle: int) -> int:
    """*handle* under this *number*."""
    if handle != number:
        os.dup2(handle, number)
        os.close(handle)
    return number


def run(
    arguments: Sequence[str], *, began: float | None = None, watchdog: Watchdog | None = None
) -> int:
    """Run the command line; *began* is when the process did, and *watchdog* may end it."""
    _prepare(sys.stdout)
    _prepare(sys.stderr)
    try:
        with budget.timed(began):
            code = _run(arguments, watchdog)
    except BrokenPipeError:
        code = PIPE_CLOSED
    except OSError:
        # There was something to complain of, and nowhere to do it.
        code = NO_SYSTEM
    _give_up_if_broken(sys.stdout)
    _give_up_if_broken(sys.stderr)
    return code


def _run(arguments: Sequence[str], watchdog: Watchdog | None) -> int:
    try:
        code = cli.main(
            list(arguments),
            prog_name="zermelo",
            standalone_mode=False,
            obj=Running(tuple(arguments), watchdog),
        )
        sys.stdout.flush()
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return NO_SYSTEM
    except (click.Abort, KeyboardInterrupt):
        # The terminal has shown the key that was pressed; what follows begins a new line, which
        # at a prompt readline has begun already.
        if sys.stderr.isatty() and "readline" not in sys.modules:
            click.echo(err=True)
        return INTERRUPTED
    except click.ClickException as error:
        _complain(error)
        return error.exit_code
    except (BrokenPipeError, OutputClosed):
        return PIPE_CLOSED
    except OutOfTime as stop:
        screen(is_error=True).say(f"zermelo: {_time_over(stop, watchdog)}")
        return OUT_OF_TIME
    except UsageError as error:
        screen(is_error=True).say(f"zermelo: {error}")
        return NO_SYSTEM
    except Exception as error:  # noqa: BLE001 (the one place where every fault of ours ends)
        return _our_fault(error, arguments)
    return code if isinstance(code, int) else 0


def _time_over(stop: OutOfTime, watchdog: Watchdog | None) -> str:
    left, watch = budget.current(), budget.watch()
    if left is None or left.until is None or watch is None:
        return str(stop)
    told, folder = None, None
    if watchdog is not None:
        # Otherwise it might say the same once more.
        watchdog.stop()
        told, folder = watchdog.told, watchdog.folder
    return out_of_time_text(left.until - watch.began, stop.what, told, folder)


def _give_up_if_broken(stream: TextIO) -> None:
    """Let what *stream* still holds go nowhere if it cannot be written to.

    Python would complain once more when it closes what nobody reads.
    """
    try:
        stream.flush()
    except OSError:
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _prepare(stream: TextIO) -> None:
    """Let *stream* spell out what it cannot write, which would be a fault otherwise."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")


def _complain(error: click.ClickException) -> None:
    shown = screen(is_error=True)
    shown.say(f"zermelo: {error.format_message()}")
    if isinstance(error, click.UsageError) and error.ctx is not None:
        shown.say(f"See `{error.ctx.command_path} --help`.")


def _our_fault(error: Exception, arguments: Sequence[str]) -> int:
    if isinstance(error.__cause__, KeyboardInterrupt):
        # Python wraps what is raised while a class is made, as when a module is imported.
        return INTERRUPTED
    shown = screen(is_error=True)
    if isinstance(error, OSError) and error.errno in _FULL and error.filename is None:
        shown.say(f"zermelo: the answer cannot be written: {os.strerror(error.errno)}")
        return NO_SYSTEM
    if isinstance(error, OutOfRoom):
        shown.say(f"zermelo: {error}; --memory gives it more")
        return NO_SYSTEM
    if "--debug" in arguments:
        traceback.print_exception(error)
    shown.say("zermelo: this is a fault of ours, not of your document. Please report it, with")
    shown.show(line(text, indent=2, hang=2) for text in _report(error, arguments))
    if "--debug" not in arguments:
        shown.say("Add --debug to see where it happened.")
    return OUR_FAULT


def _report(error: Exception, arguments: Sequence[str]) -> list[str]:
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{frames[-1].filename.rpartition('zermelo/')[2]}, line {frames[-1].lineno}"
    message = str(error).splitlines()[0] if str(error) else ""
    return [
        "the document,",
        f"the command: zermelo {' '.join(arguments)}",
        f"the fault: {type(error).__name__}: {message} ({place})",
        f"the version: zermelo {version()}, Python {platform.python_version()}, {sys.platform}",
    ]
