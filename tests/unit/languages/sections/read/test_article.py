"""Documents with sections as LaTeX articles."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.project import TESTS
from tools.recorded_commands import Language, subjects
from zermelo.languages.sections.read.article import article
from zermelo.languages.sections.read.document import parse
from zermelo.languages.sections.read.grammar import tree
from zermelo.languages.sections.read.grammar.document_printer import section_rows
from zermelo.text.source import Notation, Source

DOCUMENTS = [subject.path for subject in subjects() if subject.language is Language.SECTIONS]
SMALL = """# Lamps & {friends}

Two of *them*, 50% on.

Applicable Sets
  L : {1, 2}  // the lamps_
System Variables
  Lit ⊆ L
System Facts
  nothing that anybody { could read
System Initialization
  Lit = L
System States and Behavior
Switch(p ∈ L)
  // goes on
  // or off
  p ∈ Lit → Lit = Lit − {p}
    // and that is all
Reading
  order: at once  // they must not undo each other
View
  board: {1, 2}
"""
WRITTEN = r"""\begin{document}
\raggedright
\setlength{\parskip}{3pt plus 1pt}

\title{Lamps \& \{friends\}}
\date{}
\maketitle

Two of \emph{them}, 50\% on.

\section*{Applicable Sets}
\begin{itemize}
\item $L : \{1, 2\}$ \quad \remark{the lamps\_}
\end{itemize}

\section*{System Variables}
\begin{itemize}
\item $\mathit{Lit} \subseteq L$
\end{itemize}

\section*{System Facts}
\begin{itemize}
\item[] \remark{nothing that anybody \{ could read}
\end{itemize}

\section*{System Initialization}
\begin{itemize}
\item $\mathit{Lit} = L$
\end{itemize}

\section*{System States and Behavior}
\begin{itemize}
\item $\mathit{Switch}(p \in L)$
  \begin{itemize}
  \item[] \remark{goes on or off}
  \item $p \in \mathit{Lit} \rightarrow \mathit{Lit} = \mathit{Lit} - \{p\}$
    \begin{itemize}
    \item[] \remark{and that is all}
    \end{itemize}
  \end{itemize}
\end{itemize}

\section*{Reading}
\begin{itemize}
\item order: at once \quad \remark{they must not undo each other}
\end{itemize}

\section*{View}
\begin{itemize}
\item board: \{1, 2\}
\end{itemize}

\end{document}
"""


def read(text: str, name: str = "document.md") -> tree.SectionsDocument:
    document = parse(Source(name, text)).value
    assert document is not None
    return document


def rows(document: tree.SectionsDocument) -> list[tuple[str, int, str]]:
    """Every line but its note; what TeX needs to be escaped may come back with its escape."""
    return [
        (section.kind.value, row.level, re.sub(r"\\(?=[{}$&#_%])", "", row.text))
        for section, found in section_rows(document, Notation.UNICODE)
        for row in found
        if row.text
    ]


def test_an_article_has_headings_lists_and_remarks() -> None:
    text = article(read(SMALL))

    assert text[text.index("\\begin{document}") :] == WRITTEN


def test_the_name_is_the_title_of_a_document_without_one() -> None:
    text = article(read(SMALL.replace("# Lamps & {friends}\n", "")), title="lamps_2")

    assert "\\title{lamps\\_2}\n" in text


def test_a_latex_file_keeps_its_own_beginning() -> None:
    chomp = (TESTS / "documents" / "chomp.tex").read_text("utf-8")

    text = article(read(chomp, "chomp.tex"))

    assert text.startswith(
        "\\documentclass{article}\n\\usepackage{amssymb}\n\\usepackage{textcomp}"
    )
    assert text.count("\\documentclass") == text.count("\\begin{document}") == 1
    assert text.endswith("\\end{document}\n")


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_an_article_is_read_as_the_document_it_was_made_of(path: Path) -> None:
    document = read(path.read_text("utf-8"), path.name)

    text = article(document)

    again = read(text, "article.tex")
    assert rows(again) == rows(document)
    assert rows(read(article(again), "article.tex")) == rows(document)


@pytest.mark.long
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no LaTeX here")
@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_latex_sets_an_article(path: Path, tmp_path: Path) -> None:
    document = read(path.read_text("utf-8"), path.name)
    (tmp_path / "it.tex").write_text(article(document, title=path.stem), "utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "it.tex"]

    ran = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, timeout=120)

    assert ran.returncode == 0, ran.stdout.decode("utf-8", "replace")[-2000:]
    assert (tmp_path / "it.pdf").read_bytes().startswith(b"%PDF")
