"""Files to hand out: positions and plays as pictures, and documents as articles and pages."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping
from typing import Final

from zermelo.api import pictures, texts
from zermelo.api.pictures import PictureFormat
from zermelo.api.texts import TextFormat
from zermelo.faces.web.page.opened import Answer, OpenGame
from zermelo.faces.web.page.requests import MakeHandOut
from zermelo.text.errors import UsageError

_ENDINGS: Final[Mapping[str, tuple[str, str]]] = {
    "svg": (".svg", "image/svg+xml"),
    "png": (".png", "image/png"),
    "pdf": (".pdf", "application/pdf"),
    "latex": (".tex", "application/x-tex"),
    "html": (".html", "text/html"),
}
_NOT_SAFE: Final = re.compile(r"[^\w.-]+")


def hand_out(opened: OpenGame, question: MakeHandOut) -> Answer:
    """The file that *question* asks for, with a name for it."""
    ending, media = _ENDINGS[question.format]
    remark = ""
    if question.what == "document":
        if question.format not in {"latex", "html"}:
            raise UsageError("a document is handed out as LaTeX, or as a page to be printed")
        data = texts.export_text(opened.game, TextFormat(question.format)).encode()
    elif question.format == "html":
        raise UsageError("a picture is handed out as SVG, PNG, PDF or LaTeX")
    else:
        chosen = PictureFormat(question.format)
        sheet = pictures.sheet_of(
            opened.game,
            opened.session(question.moves).turns,
            is_strip=question.what == "strip",
            has_coordinates=question.coordinates == "with",
        )
        data = pictures.written(sheet, chosen)
        missing = pictures.not_shown(sheet, chosen)
        remark = f"The letters of PDF lack {missing}; SVG and PNG have them." if missing else ""
    stem = _NOT_SAFE.sub("-", opened.game.name).strip("-.")[:80] or "handout"
    return {
        "name": f"{stem}{'' if question.what == 'document' else '-' + question.what}{ending}",
        "type": media,
        "data": b64encode(data).decode(),
        "remark": remark,
    }
