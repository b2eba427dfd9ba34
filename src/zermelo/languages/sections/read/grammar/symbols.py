r"""The one table of signs: how each is written in Unicode, LaTeX and ASCII.

Reading accepts every spelling of the table, mixed freely. Printing uses the
first spelling of each column.

Words such as ``in``, ``U`` or ``x`` stand for signs only where the document
declares no such name and where an operator can stand. A formula in which such a
word *is* a name is therefore printed in ASCII with the LaTeX command instead,
which is ASCII too and cannot be mistaken: ``x in A \times B``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Symbol:
    """A sign and its spellings."""

    text: str
    """Canonical, in Unicode."""
    unicode: tuple[str, ...] = ()
    """Other characters that mean it."""
    latex: tuple[str, ...] = ()
    """Commands without the backslash."""
    ascii: tuple[str, ...] = ()
    """Spellings made of signs."""
    words: tuple[str, ...] = ()
    """Spellings made of letters; they hold where no such name is declared."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SYMBOLS: Final[tuple[Symbol, ...]] = (
    # connectives
    Symbol("¬", ("￢",), ("neg", "lnot"), ("~", "!"), ("not", "NOT")),
    Symbol("∧", ("⋀", "⩓"), ("land", "wedge", "bigwedge"), ("/\\", "&&"), ("and", "AND")),
    Symbol("∨", ("⋁", "⩔"), ("lor", "vee", "bigvee"), ("\\/",), ("or", "OR")),
    Symbol(
        "→",
        ("⇒", "⟶", "⟹", "➔", "➜", "➝", "⭢", "🡒"),
        ("rightarrow", "to", "Rightarrow", "implies", "longrightarrow", "Longrightarrow"),
        ("->", "=>", "-->", "==>"),
        ("implies",),
    ),
    Symbol(
        "↔",
        ("⇔", "⟷", "⟺", "≣"),
        ("leftrightarrow", "Leftrightarrow", "iff", "longleftrightarrow", "Longleftrightarrow"),
        ("<->", "<=>", "<-->", "<==>"),
        ("iff",),
    ),
    Symbol("∀", (), ("forall",), (), ("forall",)),
    Symbol("∃", (), ("exists",), (), ("exists",)),
    Symbol("∄", (), ("nexists",), (), ()),
    # relations
    Symbol("=", ("≔", "←", "⩵"), ("coloneqq", "gets"), ("=", ":=", "=="), ()),
    Symbol("≠", (), ("neq", "ne"), ("!=", "<>", "/=", "=/=", "~="), ()),
    Symbol("≡", (), ("equiv",), (), ()),
    Symbol("<", (), ("lt",), ("<",), ()),
    Symbol("≤", ("⩽", "≦", "⪯"), ("leq", "le", "leqslant", "leqq"), ("<=", "=<"), ()),
    Symbol(">", (), ("gt",), (">",), ()),
    Symbol("≥", ("⩾", "≧", "⪰"), ("geq", "ge", "geqslant", "geqq"), (">=",), ()),
    Symbol("∈", ("ϵ", "∊", "є"), ("in", "isin"), (), ("in", "ε")),
    Symbol("∉", (), ("notin",), (), ("notin",)),
    Symbol("∋", (), ("ni", "owns"), (), ()),
    Symbol("⊆", ("⫅",), ("subseteq", "subseteqq"), (), ("subset", "subseteq")),
    Symbol("⊈", (), ("nsubseteq",), (), ("notsubset",)),
    Symbol("⊂", ("⊊", "⫋"), ("subset", "subsetneq", "subsetneqq"), (), ("propersubset",)),
    Symbol("⊄", (), ("nsubset",), (), ()),
    Symbol("⊇", ("⫆",), ("supseteq", "supseteqq"), (), ("superset", "supseteq")),
    Symbol("⊃", ("⊋",), ("supset", "supsetneq"), (), ()),
    # operators
    Symbol("∪", ("⋃",), ("cup", "bigcup"), (), ("union", "U")),
    Symbol("∩", ("⋂",), ("cap", "bigcap"), (), ("inter", "intersect")),
    Symbol(
        "⊕",
        ("⊻", "∆"),
        ("oplus", "veebar", "triangle", "bigtriangleup"),
        (),
        # A triangle may also be a value, as ♠ is.
        ("xor", "symdiff", "△"),
    ),
    Symbol("∖", ("⧵", "＼"), ("setminus", "backslash", "smallsetminus"), (), ("setminus",)),
    Symbol("×", ("⨯", "✕", "✖"), ("times",), (), ("x", "X", "cross")),
    Symbol("+", ("＋",), (), ("+",), ()),
    Symbol("−", ("‒", "–", "‐", "‑", "－", "﹣"), (), ("-",), ("minus",)),
    Symbol("·", ("⋅", "∙", "∗"), ("cdot", "ast"), ("*",), ()),
    Symbol("/", ("÷", "∕", "⁄"), ("div",), ("/",), ()),
    Symbol("mod", (), ("bmod", "mod"), ("%",), ("mod", "MOD", "Mod")),
    Symbol("^", (), (), ("^",), ()),
    Symbol("++", (), (), ("++",), ()),
    Symbol("--", (), (), ("--",), ()),
    # operators over a set
    Symbol("∑", (), ("sum",), (), ("sum", "Σ")),
    Symbol("∏", (), ("prod",), (), ("prod", "Π")),
    # values
    Symbol("∅", ("⌀",), ("emptyset", "varnothing"), (), ("emptyset", "empty")),
    Symbol("ℕ", (), ("N", "naturals"), (), ()),
    Symbol("ℤ", (), ("Z", "integers"), (), ()),
    Symbol("ℤ⁺", (), (), (), ()),
    Symbol("𝒫", ("℘",), ("wp",), (), ()),
    Symbol("⊤", (), ("top",), (), ()),
    Symbol("⊥", (), ("bot",), (), ()),
    # brackets
    Symbol("(", ("⟨", "〈", "⦅"), ("lparen", "langle"), ("(",), ()),
    Symbol(")", ("⟩", "〉", "⦆"), ("rparen", "rangle"), (")",), ()),
    Symbol("[", (), ("lbrack",), ("[",), ()),
    Symbol("]", (), ("rbrack",), ("]",), ()),
    Symbol("{", (), ("lbrace",), ("{",), ()),
    Symbol("}", (), ("rbrace",), ("}",), ()),
    Symbol("|", ("∣", "❘", "│", "ǀ"), ("mid", "vert", "lvert", "rvert"), ("|",), ()),
    Symbol("⌊", ("⎣",), ("lfloor",), (), ()),
    Symbol("⌋", ("⎦",), ("rfloor",), (), ()),
    Symbol("⌈", ("⎡",), ("lceil",), (), ()),
    Symbol("⌉", ("⎤",), ("rceil",), (), ()),
    # punctuation
    Symbol(",", ("，", "،"), (), (",",), ()),
    Symbol(";", ("；",), (), (";",), ()),
    Symbol(":", ("：", "∶", "꞉"), ("colon",), (":",), ()),
    Symbol(".", (), (), (".",), ()),
    Symbol("..", ("…", "⋯", "‥"), ("ldots", "dots", "cdots", "dotsc"), ("..", "..."), ()),
    Symbol("_", (), (), ("_",), ()),
    Symbol("•", ("‣", "▪", "●", "◦", "○"), ("bullet",), (), ()),
    Symbol("—", ("―",), (), (), ()),
)

BY_TEXT: Final[Mapping[str, Symbol]] = {symbol.text: symbol for symbol in SYMBOLS}

SPELLINGS: Final[Mapping[str, str]] = {
    spelling: symbol.text
    for symbol in SYMBOLS
    for spelling in (symbol.text, *symbol.unicode, *symbol.ascii)
    if not spelling.isascii() or not spelling.isalpha()
}
"""What is typed in signs, and the sign it means."""

LONGEST: Final = max(len(spelling) for spelling in SPELLINGS)

COMMANDS: Final[Mapping[str, str]] = {
    command: symbol.text for symbol in SYMBOLS for command in symbol.latex
}
r"""LaTeX commands without arguments, and the sign they mean."""

_GREEK: Final = """
    alpha:α beta:β gamma:γ delta:δ epsilon:ε varepsilon:ε zeta:ζ eta:η theta:θ iota:ι kappa:κ
    lambda:λ mu:μ nu:ν xi:ξ pi:π rho:ρ sigma:σ tau:τ upsilon:υ phi:φ varphi:φ chi:χ psi:ψ omega:ω
    Gamma:Γ Delta:Δ Theta:Θ Lambda:Λ Xi:Ξ Phi:Φ Pi:Π Psi:Ψ Sigma:Σ Omega:Ω
"""
GREEK: Final[Mapping[str, str]] = dict(pair.split(":") for pair in _GREEK.split())
"""Commands for letters, which are names."""

KEPT_ARGUMENT: Final = _words("""
    text textbf textit textrm textsf texttt textnormal textup textsl textsc emph mbox hbox fbox
    mathbf mathit mathrm mathsf mathtt mathnormal mathbb mathcal mathscr mathfrak boldsymbol bm pmb
    operatorname underline mathop mathbin mathrel ensuremath
""")
"""Commands that only say how their argument looks."""

DROPPED_ARGUMENT: Final = _words("""
    hspace vspace label tag phantom hphantom vphantom begin end color cite ref footnote
""")
"""Commands whose argument is no part of the formula."""

IGNORED: Final = _words("""
    quad qquad enspace thinspace medspace thickspace negthinspace left right middle big Big bigg
    Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr bigm limits nolimits displaystyle textstyle
    scriptstyle bf it rm sf tt cal em bfseries itshape item hfill newline linebreak nonumber notag
    noindent par centering tiny small normalsize large Large hline nobreak allowbreak relax strut
    space
""")
"""Commands that are blanks or say how things look."""

FONT_SWITCHES: Final = _words("bf it rm sf tt cal em bfseries itshape")
r"""Commands that stand inside the braces they act on: ``{\bf P}``."""

NEGATED: Final[Mapping[str, str]] = dict(zip("=∈⊆⊂<>≤≥≡", "≠∉⊈⊄≥≤><≠", strict=True))
r"""What a stroke through a sign makes of it, as in ``\not\in``."""

INFIX_WORDS: Final[Mapping[str, str]] = {
    word: text
    for text in (
        "∧",
        "∨",
        "→",
        "↔",
        "∈",
        "∉",
        "⊆",
        "⊈",
        "⊂",
        "⊇",
        "∪",
        "∩",
        "∖",
        "⊕",
        "×",
        "−",
        "mod",
    )
    for word in BY_TEXT[text].words
}
"""Words that are operators between two operands."""

PREFIX_WORDS: Final[Mapping[str, str]] = {
    word: text for text in ("¬", "∀", "∃", "∑", "∏") for word in BY_TEXT[text].words
}
"""Words that are signs before an operand."""

VALUE_WORDS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("true", "True", "TRUE"), "⊤"),
    **dict.fromkeys(("false", "False", "FALSE"), "⊥"),
    **dict.fromkeys(("empty", "emptyset", "Ø", "ø"), "∅"),
    **dict.fromkeys(("N", "N_0"), "ℕ"),
    "Z": "ℤ",
}
"""Words that are values."""

FUNCTION_WORDS: Final[Mapping[str, str]] = {
    "floor": "⌊",
    **dict.fromkeys(("ceil", "ceiling"), "⌈"),
    **dict.fromkeys(("powerset", "pow"), "𝒫"),
    **dict.fromkeys(("abs", "card"), "|"),
}
"""Words that are signs before an argument in brackets."""

CLOSERS: Final[Mapping[str, str]] = {"(": ")", "[": "]", "{": "}", "⌊": "⌋", "⌈": "⌉"}
"""Brackets that open, and what closes them; bars are both and are not here."""

OPERAND_STARTS: Final = _words("( [ { | ⌊ ⌈ ∅ ℕ ℤ ℤ⁺ 𝒫 ⊤ ⊥ − + ¬ ∀ ∃ ∄ ∑ ∏")
"""Signs that can begin an operand."""
