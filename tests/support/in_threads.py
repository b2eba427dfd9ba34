"""A program: documents of all languages, deep and shallow ones, run in many threads at once.

It says in how many threads, and which answers differ from those of one after the other.
"""

from __future__ import annotations

import sys
import threading

from zermelo.api import loading
from zermelo.api.loaded import model_of
from zermelo.core.model import Model
from zermelo.languages.led.model import ProgramModel

_LED = """/$
ledGame
initialState := {}
newState := currentState U {f(DEPTH)} if mouseClicked; currentState otherwise
f(n) := 0 if n = 0; 1 + f(n - 1) otherwise
images := {segment(point(0, 0), point(f(DEPTH) mod 7, 100), dBlack)}
$/
"""
_SECTIONS = """# Deep

## Applicable Sets

- N : {0..1000}

## System Variables

- x ∈ N
- over ∈ {true, false}

## System Facts

- over ↔ F(DEPTH + x) = 1

## System Initialization

- x = 1

## System States and Behavior

F(n ∈ ℕ) = |{k ∈ {1} | n > 0 ∧ F(n − 1) = 1}| + 1

Go(a ∈ N)

- a = x + 1 → x = a
"""
_NET = """int f(int n) { if (n == 0) return 0; return 1 + f(n - 1); }
#place a lo(<.0.>) hi(<.9000.>) mk(<.1.>)
#place b lo(<.0.>) hi(<.9000.>)
#trans t
in { a: <.x.>; }
out { b: <.f(DEPTH).>; }
#endtr
"""
_TEXTS = {
    ("deep.led", 3000): _LED,
    ("shallow.led", 5): _LED,
    ("deep.md", 900): _SECTIONS,
    ("shallow.md", 5): _SECTIONS,
    ("deep.net", 900): _NET,
    ("shallow.net", 5): _NET,
}
_THREADS_OF_EACH = 2
_ROUNDS = 2


def _asked(model: Model) -> str:
    if isinstance(model, ProgramModel):
        stage = model.stage(None)
        stage.click(10, 10)
        frame = stage.frame()
        return str((frame.state, frame.images, frame.faults))
    machine = model.machine()
    state = machine.initial
    after = [(str(move), str(machine.after(state, move))) for move in machine.legal(state)]
    return str((machine.facts(state), machine.faults(state), after))


def main() -> None:
    models = {
        name: model_of(loading.load_text(text.replace("DEPTH", str(depth)), name=name))
        for (name, depth), text in _TEXTS.items()
    }
    limit = sys.getrecursionlimit()
    alone = {name: _asked(model) for name, model in models.items()}
    wrong = [(name, said) for name, said in alone.items() if "deeply" in said or "Fault" in said]

    def ask(name: str) -> None:
        for _ in range(_ROUNDS):
            said = _asked(models[name])
            if said != alone[name] or sys.getrecursionlimit() != limit:
                wrong.append((name, said))

    threads = [
        threading.Thread(target=ask, args=(n,)) for n in models for _ in range(_THREADS_OF_EACH)
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    sys.stdout.write(f"{len(threads)} threads, wrong: {wrong}\n")


if __name__ == "__main__":
    main()
