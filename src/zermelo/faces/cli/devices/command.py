"""``zermelo devices``."""

from __future__ import annotations

import click

from zermelo.faces.cli.options import Settings, examples, looks
from zermelo.faces.cli.progress import cores, memory_text
from zermelo.faces.cli.screen import print_json
from zermelo.fast import cuda, jit
from zermelo.text.prose import count


@click.command("devices", epilog=examples("zermelo devices"))
@click.option("--json", "is_json", is_flag=True, help="Print one JSON object.")
@looks
def command(*, is_json: bool, settings: Settings) -> int:
    """Say what there is to compute with, and whether it works.

    Every GPU is given a small program, and works if it gives the right answer. It explores with
    `zermelo explore --device gpu`.
    """
    why = jit.available()
    found = cuda.chips()
    chips = () if isinstance(found, cuda.NoGpu) else found
    failures = [cuda.trial(chip.number) for chip in chips]
    if is_json:
        print_json(
            {
                "processor": {"cores": cores(), "compiles": why is None, "why_not": why},
                "gpus": [
                    {
                        "name": chip.name,
                        "bytes": chip.bytes,
                        "compute_capability": chip.capability / 10,
                        "works": failure is None,
                        "why_not": failure,
                    }
                    for chip, failure in zip(chips, failures, strict=True)
                ],
                "why_no_gpu": found.reason if isinstance(found, cuda.NoGpu) else None,
            }
        )
        return 0
    say = settings.screen.say
    compiled = "with compiled code" if why is None else f"without compiled code: {why}"
    say(f"The processor: {count(cores(), 'core')}, {compiled}.")
    if isinstance(found, cuda.NoGpu):
        say(f"No GPU: {found.reason}.")
    for chip, failure in zip(chips, failures, strict=True):
        works = "works" if failure is None else f"does not work: {failure}"
        say(
            f"GPU {chip.number}: {chip.name}, {memory_text(chip.bytes)}, compute capability "
            f"{chip.capability / 10:.1f}, CUDA {cuda.driver_version()}; it {works}."
        )
    return 0
