"""What a command writes is there whole, or what was there before is, whatever happens meanwhile."""

import os
import re
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

import pytest

from tests.support.command import Ran, zermelo
from tests.support.faults import FAULTS, Fault, every_fault, killed_at
from tests.support.project import SOURCE, TESTS
from zermelo.files import writing

HEAP = """\
Applicable Sets
  H : {0..2}
System Variables
  heap in H
System Initialization
  heap = 2
System States and Behavior
Take(n in {1, 2})
  n <= heap -> heap = heap - n
"""
FIXABLE = HEAP.replace("heap = heap", "haep = heap").replace("System Init", "System Inti")
PROGRAM = """\
/$ ledGame
initialState := 0
newState := currentState + 1
images := {} $/
"""
NET = (TESTS / "documents/nets/buffer.net").read_bytes()
NOBODY = 65534
OLD = b"what was here before\n"


@dataclass(frozen=True, slots=True)
class Case:
    """A command that writes files, and the files that it finds."""

    arguments: tuple[str, ...]
    before: Mapping[str, bytes]
    written: tuple[str, ...]
    made: tuple[str, ...] = field(default=())

    def prepare(self, folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name, data in self.before.items():
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)


CASES = {
    "format --write": Case(
        ("format", "heap.md", "--write"), {"heap.md": HEAP.encode()}, ("heap.md",)
    ),
    "check --fix": Case(
        ("check", "heap.md", "--fix", "--states", "1"), {"heap.md": FIXABLE.encode()}, ("heap.md",)
    ),
    "export -o": Case(
        ("export", "heap.md", "-o", "heap.tex"),
        {"heap.md": HEAP.encode(), "heap.tex": OLD},
        ("heap.tex",),
    ),
    "graph -o": Case(
        ("graph", "heap.md", "-o", "heap.svg"),
        {"heap.md": HEAP.encode(), "heap.svg": OLD},
        ("heap.svg",),
    ),
    "net report": Case(
        ("net", "report", "buffer.net"),
        {"buffer.net": NET, "buffer.txt": OLD},
        ("buffer.txt",),
    ),
    "net draw": Case(
        ("net", "draw", "buffer.net", "-o", "buffer.svg"),
        {"buffer.net": NET, "buffer.svg": OLD},
        ("buffer.svg",),
    ),
    "easel": Case(
        ("easel", "run.led", "--script", "inputs.txt", "-o", "out"),
        {"run.led": PROGRAM.encode(), "inputs.txt": b"frame\n", "out/state.txt": OLD},
        (
            *(f"out/frame-0000{n}.{kind}" for n in (0, 1) for kind in ("svg", "png")),
            "out/state.txt",
        ),
    ),
    "new": Case(("new", "mine.md"), {}, ("mine.md",)),
}


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def run(case: Case, folder: Path) -> Ran:
    with mock.patch.dict(os.environ, {"NO_COLOR": "1"}):
        before = Path.cwd()
        os.chdir(folder)
        try:
            return zermelo(*case.arguments)
        finally:
            os.chdir(before)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "here"


@pytest.mark.parametrize("name", CASES)
def test_the_command_writes_what_it_shall(name: str, folder: Path) -> None:
    case = CASES[name]
    case.prepare(folder)

    ran = run(case, folder)

    after = files(folder)
    assert ran.code in {0, 1}, ran.err
    assert set(after) == {*case.before, *case.written}
    assert all(after[each] != case.before.get(each) for each in case.written)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
@pytest.mark.parametrize("name", CASES)
def test_a_fault_at_any_file_operation_leaves_old_or_new_files(
    name: str, fault: Fault, folder: Path
) -> None:
    case = CASES[name]
    case.prepare(folder)
    whole_code = run(case, folder).code
    new = files(folder)

    for trial in every_fault(
        folder, lambda: case.prepare(folder), lambda: run(case, folder), [fault]
    ):
        assert trial.error is None, trial
        assert trial.result is not None
        check(case, folder, new, trial.result, whole_code, str(trial))


def check(
    case: Case, folder: Path, new: Mapping[str, bytes], ran: Ran, whole_code: int, what: str
) -> None:
    after = files(folder)
    left = [each for each in after if each.endswith(writing.PART)]
    # Where removing itself fails, there is nothing more to be done.
    assert not left or ", unlink " in what, what
    for each in set(after) - set(left):
        assert after[each] in {case.before.get(each), new.get(each)}, f"{what}: {each} is a part"
    assert set(case.before) <= set(after), f"{what}: a file is gone"
    is_all_written = all(after.get(each) == new[each] for each in case.written)
    assert "Traceback" not in ran.err, what
    assert "fault of ours" not in ran.err, f"{what}\n{ran.err}"
    if not is_all_written or ran.code != whole_code:
        assert ran.code in {1, 2, 130}, f"{what}\n{ran.err}"
        assert ran.code == 130 or re.search("could not be (written|read)|there can be no", ran.err)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["format --write", "graph -o", "new"])
def test_a_kill_at_any_file_operation_leaves_old_or_new_files(name: str, folder: Path) -> None:
    case = CASES[name]
    case.prepare(folder)
    run(case, folder)
    new = files(folder)

    arguments = [str(folder / each) if "." in each else each for each in case.arguments]
    for number in range(1, 100):
        case.prepare(folder)
        code = killed_at(number, folder, arguments)
        after = {n: data for n, data in files(folder).items() if not n.endswith(writing.PART)}
        for each, data in after.items():
            assert data in {case.before.get(each), new.get(each)}, f"operation {number}: {each}"
        assert set(case.before) <= set(after)
        if code != -signal.SIGKILL:
            break
    assert code == 0
    assert number > 5
    assert after == new


# Real faults of the system, in a new process


def started(
    *arguments: str,
    folder: Path,
    prepare: Callable[[], None] | None = None,
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "zermelo", *arguments],
        check=False,
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=folder,
        env={
            "PYTHONPATH": str(SOURCE),
            "HOME": str(folder.parent),
            "PATH": os.environ["PATH"],
            # Python itself would leave parts of what it has compiled.
            "PYTHONDONTWRITEBYTECODE": "1",
        },
        preexec_fn=prepare,
        timeout=120,
    )


def said(ran: subprocess.CompletedProcess[str]) -> str:
    assert "Traceback" not in ran.stderr
    return " ".join(ran.stderr.split())


def no_large_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


def test_a_write_that_the_system_refuses_leaves_the_old_file(folder: Path) -> None:
    case = CASES["format --write"]
    case.prepare(folder)

    ran = started(*case.arguments, folder=folder, prepare=no_large_files)

    assert ran.returncode == 2
    assert "`heap.md` could not be written: File too large" in said(ran)
    assert files(folder) == case.before


@pytest.fixture
def small_disk(folder: Path) -> Iterator[Path]:
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(folder)]
    if shutil.which("mount") is None or subprocess.run(mount, check=False).returncode:
        pytest.skip("no file system may be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("room", [0, 4096])
def test_a_full_disk_leaves_the_old_file(small_disk: Path, room: int) -> None:
    text = HEAP + "// a long remark\n" * 400
    (small_disk / "heap.md").write_text(text)
    (small_disk / "heap.tex").write_bytes(OLD)
    free = os.statvfs(small_disk)
    (small_disk / "ballast").write_bytes(bytes(free.f_bavail * free.f_frsize - room))
    before = files(small_disk)

    for arguments in (("format", "heap.md", "--write"), ("export", "heap.md", "-o", "heap.tex")):
        ran = started(*arguments, folder=small_disk)

        assert ran.returncode == 2, ran.stderr
        assert "could not be written: No space left on device" in said(ran)
        assert files(small_disk) == before


@contextmanager
def somebody_else() -> Iterator[None]:
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that other users can reach, unlike those that pytest makes."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user for a while")
def test_a_folder_that_takes_no_file_keeps_what_it_has(open_folder: Path) -> None:
    case = CASES["format --write"]
    document = open_folder / "heap.md"
    document.write_text(HEAP)
    document.chmod(0o666)
    zermelo("format", str(document))  # imports what somebody else may not read

    with somebody_else():
        ran = run(case, open_folder)

    assert ran.code == 2
    sentence = "a new file is written first, and the folder . takes none"
    assert sentence in " ".join(ran.err.split())
    assert files(open_folder) == {"heap.md": HEAP.encode()}


# Odd places


def test_the_document_itself_is_not_written_over(folder: Path) -> None:
    case = CASES["export -o"]
    case.prepare(folder)
    (folder / "link.tex").symlink_to("heap.md")

    for name in ("heap.md", "./heap.md", "link.tex"):
        ran = run(Case(("export", "heap.md", "--to", "latex", "-o", name), {}, ()), folder)

        assert ran.code == 2
        assert "is the document itself; choose another name" in ran.err
    assert files(folder)["heap.md"] == HEAP.encode()


def test_a_report_is_not_written_over_its_net(folder: Path) -> None:
    Case((), {"buffer.txt": NET}, ()).prepare(folder)

    ran = run(Case(("net", "report", "buffer.txt"), {}, ()), folder)

    assert (ran.code, files(folder)) == (2, {"buffer.txt": NET})
    assert "is the document itself" in ran.err


@pytest.mark.parametrize("command", ["export -o", "graph -o", "net draw"])
@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("nowhere/a.svg", "there is no folder nowhere"),
        ("folder.svg", "it is a folder; name a file in it"),
        ("protected.svg", "it is protected against writing"),
        (f"{'é' * 130}.svg", "File name too long"),
        ("loop.svg", "Too many levels of symbolic links"),
    ],
)
def test_what_cannot_be_written_is_said(
    command: str, output: str, reason: str, folder: Path
) -> None:
    case = CASES[command]
    case.prepare(folder)
    (folder / "folder.svg").mkdir()
    (folder / "protected.svg").write_bytes(OLD)
    (folder / "protected.svg").chmod(0o444)
    (folder / "loop.svg").symlink_to("loop.svg")
    arguments = [*case.arguments]
    arguments[-1] = output
    if command == "export -o":
        arguments += ["--to", "latex"]
    before = files(folder)

    ran = run(Case(tuple(arguments), {}, ()), folder)

    assert ran.code == 2
    assert f"could not be written: {reason}" in " ".join(ran.err.split())
    assert files(folder) == before


def test_a_protected_document_is_left_alone(folder: Path) -> None:
    case = CASES["format --write"]
    case.prepare(folder)
    (folder / "heap.md").chmod(0o444)

    ran = run(case, folder)

    assert ran.code == 2
    assert "`heap.md` could not be written: it is protected against writing" in ran.err
    assert files(folder) == case.before


@pytest.mark.parametrize("output", ["-", "/dev/stdout", "/dev/fd/1"])
@pytest.mark.parametrize("command", ["export -o", "graph -o", "net draw"])
def test_standard_output_gets_the_text_alone(command: str, output: str, folder: Path) -> None:
    case = CASES[command]
    case.prepare(folder)
    run(case, folder)
    new = files(folder)[case.written[0]]
    form = {"export -o": ("--to", "latex"), "graph -o": ("--format", "svg"), "net draw": ()}

    ran = run(Case((*case.arguments[:-1], output, *form[command]), {}, ()), folder)

    assert (ran.code, ran.out.encode()) == (0, new)


def test_a_stream_of_the_shell_is_written_to(folder: Path) -> None:
    case = CASES["export -o"]
    case.prepare(folder)
    command = f"exec {sys.executable} -m zermelo export heap.md --to latex -o /dev/fd/3 3>kept.tex"
    env = {**os.environ, "PYTHONPATH": str(SOURCE)}

    subprocess.run(["sh", "-c", command], check=True, cwd=folder, env=env)
    run(case, folder)

    assert files(folder)["kept.tex"] == files(folder)["heap.tex"]


@pytest.mark.parametrize(
    ("name", "moment"),
    [
        ("format --write", "zermelo.faces.cli.format.rewrite"),
        ("format --write", "zermelo.faces.cli.loading.write"),
        ("check --fix", "zermelo.faces.cli.check.rewrite"),
        ("check --fix", "zermelo.faces.cli.loading.write"),
    ],
)
@pytest.mark.parametrize("change", [b"// mine\n", b"\xff"])
def test_what_another_program_changed_meanwhile_is_kept(
    name: str, moment: str, change: bytes, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = CASES[name]
    case.prepare(folder)
    changed = case.before["heap.md"] + change
    module, _, function = moment.rpartition(".")
    real = getattr(import_module(module), function)

    def after_a_change(*arguments: object, **more: object) -> None:
        (folder / "heap.md").write_bytes(changed)
        real(*arguments, **more)

    monkeypatch.setattr(moment, after_a_change)
    ran = run(case, folder)

    assert ran.code == 2
    assert "was changed by another program" in ran.err
    assert files(folder) == {"heap.md": changed}
