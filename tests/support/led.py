"""LED programs for tests, from their text; they are read and understood, and not yet played."""

from zermelo.languages.led import ir
from zermelo.languages.led.mean import elaborate
from zermelo.languages.led.read import document as dialect
from zermelo.languages.led.read import parser
from zermelo.text import render
from zermelo.text.diagnostic import Checked
from zermelo.text.source import Source


def source(code: str, *, name: str = "demo.led") -> Source:
    """The document that has *code* and nothing else."""
    return Source(name, f"/$\n{code}\n$/\n")


def program(code: str, *, name: str = "demo.led", may_have_errors: bool = False) -> ir.Program:
    """The program that *code*, which needs no marks around it, is."""
    document = source(code, name=name)
    found = dialect.parse(document).then(lambda tree: elaborate.elaborate(tree, document))
    errors = [render.one_line(each, document) for each in found.diagnostics if each.is_error]
    assert found.value is not None, errors
    assert may_have_errors or not errors, errors
    return found.value


def expression(made: ir.Program, text: str) -> Checked[ir.Expr]:
    """The expression that *text* writes in the names of the program *made*."""
    typed = Source("typed", text)
    found = parser.expression(typed).then(lambda tree: elaborate.expression(tree, made, typed))
    has_error = any(each.is_error for each in found.diagnostics)
    return Checked(None if has_error else found.value, found.diagnostics)
