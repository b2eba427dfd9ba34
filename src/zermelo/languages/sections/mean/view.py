"""The View section: how the document wants its board to look.

board: P
rows: up
piece x: crosses
cell (r, c): expression
hide: ok, next
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from zermelo.core.values import UNKNOWN, Type
from zermelo.languages.sections import ir
from zermelo.languages.sections.mean.terms.formulas import formula, pieces
from zermelo.languages.sections.mean.terms.operators import component_types, item_type
from zermelo.text import codes
from zermelo.text.budget import similar
from zermelo.text.diagnostic import Diagnostic, Label, LeftOut, Report, label_at
from zermelo.text.lines import Setting
from zermelo.text.source import NOWHERE, Span

_KEYS: Final = ("board", "rows", "piece", "cell", "hide")
_FORMS: Final = "`board`, `rows`, `piece MARK`, `cell (r, c)` and `hide`"
_PIECE: Final = re.compile(r"piece\s+(?P<mark>\S.*)", re.IGNORECASE)
_CELL: Final = re.compile(r"cell\s*(?P<pattern>\(.*\)|\w+)", re.IGNORECASE)


def view(settings: Iterable[Setting], system: ir.System, report: Report) -> ir.View:
    """The view that *settings* describe; lines that cannot be used are said and left out."""
    maker = _ViewMaker(system)
    for setting in settings:
        maker.add(setting)
    report.extend(tuple(maker.said))
    for each in maker.left_out:
        report.list_left_out(each.what, each.causes)
    return maker.view


class _ViewMaker:
    def __init__(self, system: ir.System) -> None:
        self.view = ir.View()
        self.said: list[Diagnostic] = []
        self.left_out: list[LeftOut] = []
        self._system = system

    def add(self, setting: Setting) -> None:
        key = setting.key.strip()
        if key.casefold() == "board":
            if (board := self._formula(setting, {})) is not None:
                self.view = replace(self.view, board=board)
        elif key.casefold() == "rows":
            self._rows(setting)
        elif key.casefold() in {"hide", "hidden"}:
            self._hide(setting)
        elif match := _PIECE.fullmatch(key):
            self._piece(setting, match["mark"].strip("`'\"“”"))
        elif match := _CELL.fullmatch(key):
            self._cell(setting, match["pattern"])
        else:
            self._unknown(setting)

    def _rows(self, setting: Setting) -> None:
        value = setting.value.strip().casefold()
        if value in {"up", "down"}:
            self.view = replace(self.view, rows_up=value == "up")
            return
        self._say(
            setting,
            f"rows go `up` or `down`, not `{setting.value.strip()}`",
            help_text="write `rows: up` if the first row stands at the bottom",
        )

    def _hide(self, setting: Setting) -> None:
        known = [v.name for v in self._system.variables]
        for name, at in pieces(setting.value, _start(setting)):
            if name in known:
                self.view = replace(self.view, hidden=(*self.view.hidden, name))
            elif name:
                near = similar(name, known)
                self.said.append(
                    Diagnostic(
                        codes.VIEW_OF_NOTHING,
                        f"`{name}` cannot be hidden: there is no variable of that name",
                        None if at is None else Label(Span(at, at + len(name)), "not declared"),
                        help=f"write `{near[0]}`" if near else "remove it from the list",
                    )
                )

    def _piece(self, setting: Setting, mark: str) -> None:
        cells = self._formula(setting, {})
        if cells is not None:
            layers = (*self.view.layers, ir.ViewLayer(mark, cells))
            self.view = replace(self.view, layers=layers)

    def _cell(self, setting: Setting, pattern: str) -> None:
        is_tuple = pattern.startswith("(")
        names = tuple(n.strip() for n in pattern.strip("()").split(",") if n.strip())
        if not names or not all(re.fullmatch(r"\w+", name) for name in names):
            self._unknown(setting)
            return
        kinds = self._component_types(len(names), is_tuple=is_tuple)
        text = self._formula(setting, dict(zip(names, kinds, strict=True)))
        if text is not None:
            cell = ir.ViewCell(names, is_tuple=is_tuple, text=text)
            self.view = replace(self.view, cell=cell)

    def _component_types(self, count: int, *, is_tuple: bool) -> tuple[Type, ...]:
        """The types of a cell's components, if the board is a named set."""
        board = self.view.board
        kind: Type = UNKNOWN
        if isinstance(board, ir.Ref):
            kind = next((s.type for s in self._system.sets if s.name == board.name), UNKNOWN)
        item = item_type(kind)
        return component_types(item, count) if is_tuple else (item,)

    def _formula(self, setting: Setting, names: dict[str, Type]) -> ir.Expr | None:
        text = setting.value.rstrip()
        read = formula(text, _start(setting), system=self._system, names=names)
        words = set(re.findall(r"\w+", text))
        lost = [name for name in self._system.lost if name in words]
        if read.value is None and lost:
            what = f"`{setting.key.strip()}` of the view"
            self.left_out.append(LeftOut(what, (self._system.lost[lost[0]],)))
            return None
        self.said.extend(read.diagnostics)
        if read.value is None and not any(each.is_error for each in read.diagnostics):
            self._say(
                setting,
                f"`{setting.key.strip()}` needs an expression about this system, "
                f"and `{text.strip()}` is none",
                help_text="write an expression with the names of the document, as in `board: P`",
            )
        return read.value

    def _unknown(self, setting: Setting) -> None:
        key = setting.key.strip()
        first = key.split()[0] if key else key
        near = similar(first.casefold(), _KEYS)
        self.said.append(
            Diagnostic(
                codes.UNKNOWN_VIEW,
                f"`{key}` says nothing about the view that is understood",
                label_at(setting.key_span.or_else(setting.span), "left out"),
                notes=(f"the lines of a View section are {_FORMS}",),
                help=f"write `{near[0]}`" if near else None,
            )
        )

    def _say(self, setting: Setting, message: str, *, help_text: str) -> None:
        label = label_at(setting.value_span.or_else(setting.span), "left out")
        self.said.append(Diagnostic(codes.VIEW_NOT_USABLE, message, label, help=help_text))


def _start(setting: Setting) -> int | None:
    return None if setting.value_span == NOWHERE else setting.value_span.start
